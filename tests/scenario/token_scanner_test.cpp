#include "scenario/token_scanner.hpp"

#include <gtest/gtest.h>

#include <string>

namespace doorbell::scenario {
namespace {

TokenScanner scanner_of(std::string_view text) { return {text, std::make_shared<const std::string>("x.json")}; }

void expect_token(const Token& token, std::string_view text, int line, int column) {
  EXPECT_EQ(token.text, text);
  EXPECT_EQ(token.at.file_name(), "x.json");
  EXPECT_EQ(token.at.line, line) << text;
  EXPECT_EQ(token.at.column, column) << text;
}

TEST(TokenScanner, WalksFromTokenToToken) {
  TokenScanner scanner = scanner_of("{\"a\" : [-1.5e+3,true,\n\tnull], \"b\":{}}");
  expect_token(scanner.opener(), "{", 1, 1);
  expect_token(scanner.string(), "\"a\"", 1, 2);
  expect_token(scanner.opener(), "[", 1, 8);
  expect_token(scanner.number(), "-1.5e+3", 1, 9);
  expect_token(scanner.word(), "true", 1, 17);
  expect_token(scanner.word(), "null", 2, 2);
  expect_token(scanner.string(), "\"b\"", 2, 9);
  expect_token(scanner.opener(), "{", 2, 13);
}

TEST(TokenScanner, AByteOrderMarkIsNoColumn) {
  constexpr std::string_view text = "\xEF\xBB\xBF[1]";
  TokenScanner scanner = scanner_of(text);
  expect_token(scanner.opener(), "[", 1, 1);
  expect_token(scanner.number(), "1", 1, 2);
  EXPECT_EQ(scanner.location(0).column, 1);
  EXPECT_EQ(scanner.location(4).column, 2);
}

TEST(TokenScanner, AByteOrderMarkElsewhereIsACharacter) {
  TokenScanner scanner = scanner_of("[\"\xEF\xBB\xBF\",1]");
  static_cast<void>(scanner.opener());
  static_cast<void>(scanner.string());
  expect_token(scanner.number(), "1", 1, 6);
}

TEST(TokenScanner, LinesOfWindowsAreLines) {
  TokenScanner scanner = scanner_of("[\r\n1,\r\n\r\n  2 // three\r\n,4]");
  expect_token(scanner.opener(), "[", 1, 1);
  expect_token(scanner.number(), "1", 2, 1);
  expect_token(scanner.number(), "2", 4, 3);
  expect_token(scanner.number(), "4", 5, 2);
}

TEST(TokenScanner, ColumnsCountCharacters) {
  // Two, three and four bytes.
  TokenScanner scanner = scanner_of("[\"\u00b5\", \"\u20ac\", /* \U0001F600 */ \"\U0001F600\", 1]");
  static_cast<void>(scanner.opener());
  expect_token(scanner.string(), "\"\u00b5\"", 1, 2);
  expect_token(scanner.string(), "\"\u20ac\"", 1, 7);
  expect_token(scanner.string(), "\"\U0001F600\"", 1, 20);
  expect_token(scanner.number(), "1", 1, 25);
}

TEST(TokenScanner, AStringEndsAtItsOwnQuote) {
  TokenScanner scanner = scanner_of(R"(["a\"b", "\\", "//", "/* ]", 1])");
  static_cast<void>(scanner.opener());
  expect_token(scanner.string(), R"("a\"b")", 1, 2);
  expect_token(scanner.string(), R"("\\")", 1, 10);
  expect_token(scanner.string(), R"("//")", 1, 16);
  expect_token(scanner.string(), R"("/* ]")", 1, 22);
  expect_token(scanner.number(), "1", 1, 30);
}

TEST(TokenScanner, CommentsAreNoTokens) {
  TokenScanner scanner = scanner_of("// [\n/* { \n */[ /*/ 1 */ /**/ 2 // 3\n, 4]");
  expect_token(scanner.opener(), "[", 3, 4);
  expect_token(scanner.number(), "2", 3, 20);
  expect_token(scanner.number(), "4", 4, 3);
}

TEST(TokenScanner, FindsTheLastTokenBeforeACommentWithoutAnEnd) {
  for (const char* text : {"7 // end", "7 /* end", "7 /*", "7 /* end *", "7\n//"}) {
    TokenScanner scanner = scanner_of(text);
    expect_token(scanner.number(), "7", 1, 1);
    const Location end = scanner.location(std::string_view{text}.size());
    expect_token(scanner.word(), "", end.line, end.column);
  }
}

TEST(TokenScanner, StaysWithinATextThatEndsTooEarly) {
  for (const std::string& text : {std::string{}, std::string{" "}, std::string{"\xEF\xBB\xBF"}, std::string{",:]}"}}) {
    EXPECT_EQ(scanner_of(text).string().text, "");
    EXPECT_EQ(scanner_of(text).number().text, "");
    EXPECT_EQ(scanner_of(text).word().text, "");
    EXPECT_EQ(scanner_of(text).opener().text, "");
  }
  for (const std::string text : {"\"", "\"a", "\"a\\", "\"a\\\""}) EXPECT_EQ(scanner_of(text).string().text, text);
}

TEST(TokenScanner, GarbageBehindATokenIsNotPartOfIt) {
  expect_token(scanner_of("12x").number(), "12", 1, 1);
  expect_token(scanner_of("truex").word(), "true", 1, 1);
  expect_token(scanner_of("\"a\"b").string(), "\"a\"", 1, 1);
}

TEST(TokenScanner, AByteHasAPlaceWhateverWasRead) {
  constexpr std::string_view text = "{\n\"\u00b5\": 1\r\n}";
  TokenScanner scanner = scanner_of(text);
  static_cast<void>(scanner.opener());
  const auto expect_place = [&](std::size_t offset, int line, int column) {
    EXPECT_EQ(scanner.location(offset).line, line) << offset;
    EXPECT_EQ(scanner.location(offset).column, column) << offset;
  };
  expect_place(0, 1, 1);
  expect_place(2, 2, 1);
  expect_place(5, 2, 3);  // the quote behind two bytes
  expect_place(text.size() - 1, 3, 1);
  expect_place(text.size(), 3, 2);
  expect_place(text.size() + 100, 3, 2);
  expect_token(scanner.string(), "\"\u00b5\"", 2, 1);
}

TEST(TokenScanner, WhatIsMissingIsMissingBehindTheLastWord) {
  constexpr std::string_view text = "{\n 5\n\n";
  const TokenScanner scanner = scanner_of(text);
  const auto expect_place = [&](std::size_t count, int line, int column) {
    EXPECT_EQ(scanner.location_before(count).line, line) << count;
    EXPECT_EQ(scanner.location_before(count).column, column) << count;
  };
  expect_place(0, 1, 1);
  expect_place(4, 2, 2);
  expect_place(text.size(), 3, 1);
  expect_place(text.size() + 1, 2, 3);
}

}  // namespace
}  // namespace doorbell::scenario
