#include "scenario/parse.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "scenario/error.hpp"
#include "scenario/pointer.hpp"
#include "scenario/token_scanner.hpp"

namespace doorbell::scenario {
namespace {

constexpr std::size_t deepest = 64;
constexpr std::uintmax_t largest_file = 16U << 20U;

/// Builds the tree from the parser's events. The parser says what comes next, the scanner says where.
class TreeBuilder : public nlohmann::json::json_sax_t {
 public:
  TreeBuilder(std::string_view text, std::shared_ptr<const std::string> file, LineBreaks line_breaks)
      : scanner_{text, std::move(file)}, line_breaks_{line_breaks} {}

  [[nodiscard]] Node take() { return std::move(root_); }

  bool null() override {
    add(Kind::null, scanner_.word());
    return true;
  }
  bool boolean(bool value) override {
    add(Kind::boolean, scanner_.word()).boolean = value;
    return true;
  }
  bool number_integer(number_integer_t value) override { return number(static_cast<double>(value)); }
  bool number_unsigned(number_unsigned_t value) override { return number(static_cast<double>(value)); }
  bool number_float(number_float_t value, const string_t& /*text*/) override { return number(value); }
  bool string(string_t& value) override {
    const Token token = scanner_.string();
    if (has_control_character(value, line_breaks_)) refuse_control_character(value, token.at, next());
    add(Kind::text, token).text = std::move(value);
    return true;
  }
  bool binary(binary_t& /*value*/) override { return false; }

  bool start_object(std::size_t /*size*/) override { return open(Kind::object); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t /*size*/) override { return open(Kind::array); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    const Token token = scanner_.string();
    if (has_control_character(name, LineBreaks::refused)) refuse_control_character(name, token.at, container() / name);
    Node& object = *open_.back();
    if (object.find(name) != nullptr) {
      throw ScenarioError{
          {ErrorCode::duplicate_key, token.at, (container() / name).text(), "each key once", in_quotes(name), {}}};
    }
    object.members.push_back({name, token.at, {}});
    return true;
  }

  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::detail::exception& error) override {
    constexpr int out_of_range = 406;  // nlohmann's number for a literal that overflows a double.
    if (error.id == out_of_range) {
      const std::string pointer = next().text();
      throw ScenarioError{
          {ErrorCode::number_range, scanner_.number().at, pointer, "a number below 1.8e308", "a larger one", {}}};
    }
    const std::string reason = error.what();
    const bool encoding = reason.find("UTF-8") != std::string::npos;
    throw ScenarioError{{encoding ? ErrorCode::encoding : ErrorCode::syntax,
                         scanner_.location_before(position),
                         {},
                         encoding ? "UTF-8 text" : "valid JSON",
                         without_preamble(reason),
                         {}}};
  }

 private:
  /// The parser says "[json.exception.parse_error.101] parse error at line 1, column 5: syntax error ...".
  static std::string without_preamble(const std::string& reason) {
    const std::size_t column = reason.find(", column ");
    const std::size_t start = column == std::string::npos ? std::string::npos : reason.find(": ", column);
    std::string text;
    for (const char c : start == std::string::npos ? reason : reason.substr(start + 2)) {
      if (c >= ' ' && c <= '~') text += c;
    }
    constexpr std::size_t longest = 160;
    return text.size() > longest ? text.substr(0, longest) + "..." : text;
  }

  /// Path of the innermost open container.
  [[nodiscard]] Pointer container() const {
    Pointer pointer;
    for (std::size_t i = 0; i + 1 < open_.size(); ++i) {
      const Node& node = *open_[i];
      pointer = node.is(Kind::array) ? pointer / (node.items.size() - 1) : pointer / node.members.back().name;
    }
    return pointer;
  }

  /// Path of the value that comes next.
  [[nodiscard]] Pointer next() const {
    if (open_.empty()) return {};
    const Node& parent = *open_.back();
    return parent.is(Kind::array) ? container() / parent.items.size() : container() / parent.members.back().name;
  }

  Node& add(Kind kind, const Token& token) {
    Node* node = &root_;
    if (!open_.empty()) {
      Node& parent = *open_.back();
      node = parent.is(Kind::array) ? &parent.items.emplace_back() : &parent.members.back().value;
    }
    node->kind = kind;
    node->at = token.at;
    return *node;
  }

  bool number(double value) {
    const Token token = scanner_.number();
    Node& node = add(Kind::number, token);
    node.text = token.text;
    node.number = value;
    return true;
  }

  bool open(Kind kind) {
    const Token token = scanner_.opener();
    if (open_.size() >= deepest) {
      throw ScenarioError{
          {ErrorCode::too_deep, token.at, next().text(), fmt::format("at most {} levels", deepest), "more", {}}};
    }
    open_.push_back(&add(kind, token));
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  TokenScanner scanner_;
  LineBreaks line_breaks_;
  Node root_;
  std::vector<Node*> open_;  // Stable: a container does not grow while one of its children is open.
};

}  // namespace

bool has_control_character(std::string_view text, LineBreaks line_breaks) {
  std::string shown{text};
  if (line_breaks == LineBreaks::allowed) std::erase(shown, '\n');
  return printable(shown) != shown;
}

void refuse_control_character(std::string_view text, const Location& at, const Pointer& pointer) {
  throw ScenarioError{
      {ErrorCode::control_character, at, pointer.text(), "text without control characters", in_quotes(text), {}}};
}

Node parse(std::string_view text, const std::string& name, LineBreaks line_breaks) {
  auto file = std::make_shared<const std::string>(name);
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    throw ScenarioError{{ErrorCode::encoding, {std::move(file), 1, 1}, {}, "UTF-8 text", "UTF-16", {}}};
  }
  // The parser would take it for the end of the text and ignore what follows.
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
    throw ScenarioError{{ErrorCode::syntax,
                         TokenScanner{text, std::move(file)}.location(nul),
                         {},
                         "valid JSON",
                         "a NUL character",
                         {}}};
  }
  TreeBuilder builder{text, std::move(file), line_breaks};
  constexpr bool strict = true;
  constexpr bool ignore_comments = true;
  using nlohmann::json;
  json::sax_parse(text.begin(), text.end(), &builder, json::input_format_t::json, strict, ignore_comments);
  return builder.take();
}

std::string read_text(const std::filesystem::path& file, const Location& from, const std::string& pointer,
                      std::uintmax_t largest) {
  const auto refuse = [&](ErrorCode code, const std::string& expected, const std::string& found) {
    throw ScenarioError{{code, from, pointer, expected, found, {}}};
  };
  if (file.empty()) refuse(ErrorCode::file_not_found, "the name of a file", in_quotes(file.string()));
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (status.type() == std::filesystem::file_type::not_found || status.type() == std::filesystem::file_type::none) {
    refuse(ErrorCode::file_not_found, "a file that exists", in_quotes(file.string()));
  }
  if (status.type() == std::filesystem::file_type::directory)
    refuse(ErrorCode::not_a_file, "a file", "the folder " + in_quotes(file.string()));
  if (status.type() != std::filesystem::file_type::regular)
    refuse(ErrorCode::not_a_file, "a regular file", in_quotes(file.string()));
  if (std::filesystem::file_size(file, error) > largest) {
    refuse(ErrorCode::file_too_large, fmt::format("a file of at most {} MiB", largest >> 20U),
           in_quotes(file.string()));
  }
  std::ifstream stream{file, std::ios::binary};
  std::string text{std::istreambuf_iterator<char>{stream}, {}};
  if (!stream.is_open() || stream.bad()) refuse(ErrorCode::not_a_file, "a readable file", in_quotes(file.string()));
  return text;
}

Node parse_file(const std::filesystem::path& file, const Location& from, const std::string& pointer,
                LineBreaks line_breaks) {
  return parse(read_text(file, from, pointer, largest_file), file.string(), line_breaks);
}

}  // namespace doorbell::scenario
