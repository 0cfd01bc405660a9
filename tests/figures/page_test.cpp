#include "figures/page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "figures/scratch.hpp"

namespace doorbell::figures {
namespace {

using testing::HasSubstr;
using testing::Not;

class Page : public testing::Test {
 protected:
  Page() {
    figure_.id = result_.id = "paper/fig1";
    result_.title = "A figure";
  }
  [[nodiscard]] std::string html() const { return html_page({figure_}, {result_}, {}, scratch_.path(), "1.2.3"); }

  Scratch scratch_;
  Figure figure_;
  FigureResult result_;
};

TEST_F(Page, SaysWhatFittedMeansAndWhatIsDrawnHow) {
  EXPECT_THAT(html(), HasSubstr("chosen after looking at validation points: README.md, “How exact it is”"));
  EXPECT_THAT(html(), HasSubstr("thin dotted lines are the closed form"));
}

TEST_F(Page, ShowsBackticksAsCode) {
  result_.notes = "By `reproduce --data` & `<x>`, and ` alone";
  EXPECT_THAT(html(), HasSubstr("By <code>reproduce --data</code> &amp; <code>&lt;x&gt;</code>, and ` alone"));
}

TEST_F(Page, SaysThatMeasuredPointsAreLeftOut) {
  EXPECT_THAT(html(), Not(HasSubstr("left out")));
  figure_.external.emplace();
  figure_.external->file = "rates.csv";
  figure_.external->available = "a web page";
  EXPECT_THAT(html(),
              HasSubstr("Here: measured points left out; <code>--data DIR</code> takes them from DIR/rates.csv, "
                        "which is made from a web page."));
  figure_.reference.emplace_back();
  EXPECT_THAT(html(), Not(HasSubstr("left out")));
}

TEST_F(Page, ClaimsWithoutANumberAreAnsweredByAWord) {
  result_.claims = {{"a", "It grows.", true, false, false}, {"b", "By `x`.", 2.0, 3.0, false}};
  EXPECT_THAT(html(), HasSubstr("It grows.</td><td>yes</td><td>no</td>"));
  EXPECT_THAT(html(), HasSubstr("By <code>x</code>.</td><td>2</td><td>3</td>"));
}

}  // namespace
}  // namespace doorbell::figures
