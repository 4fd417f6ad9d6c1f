#include "engine/app/options/option_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>
#include <string>
#include <string_view>

#include "engine/app/options/job_options.hpp"
#include "engine/app/options/parse.hpp"
#include "engine/io/error.hpp"

namespace psflip::app {

namespace {

constexpr std::size_t most_bytes = 1'000'000;

[[noreturn]] void refuse_text() {
  throw UserError("--config: the file is not text; give a TOML file with the options of one job.");
}

/// The text of a file that may have no end.
std::string text_of(std::istream& input) {
  std::string text(most_bytes + 1, '\0');
  input.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(input.gcount()));
  if (text.size() > most_bytes)
    throw UserError("--config: the file has more than 1 MB; give a TOML file with the options of one job.");
  return text;
}

/// Bytes of the UTF-8 character that begins at `at`; 0 if there is none.
std::size_t character_size(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : static_cast<unsigned char>(0);
  };
  const unsigned first = byte(at);
  if (first < 0x80) return 1;
  const std::size_t size = first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (first < 0xc2 || size == 0) return 0;
  for (std::size_t i = 1; i < size; ++i)
    if ((byte(at + i) & 0xc0) != 0x80) return 0;
  const unsigned second = byte(at + 1);
  const bool is_twice_encoded = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool is_no_character = (first == 0xed && second >= 0xa0) || (first == 0xf4 && second >= 0x90);
  return is_twice_encoded || is_no_character ? 0 : size;
}

/// Refuses what TOML does not have even in comments: other encodings than UTF-8, control characters but tab and the end
/// of a line.
void require_text(const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = character_size(text, at);
    const auto first = static_cast<unsigned char>(text[at]);
    const bool is_end_of_line = first == '\n' || (first == '\r' && at + 1 < text.size() && text[at + 1] == '\n');
    if (size == 0 || first == 0x7f || (first < 0x20 && first != '\t' && !is_end_of_line)) refuse_text();
    at += size;
  }
}

/// The part of TOML in which a job is written: one table, keys without quotes and dots; text, numbers, true and false
/// and lists of these. Texts of values, as CLI11 wants them.
class Reader {
 public:
  explicit Reader(std::string text) : text_(std::move(text)) {}

  std::vector<CLI::ConfigItem> items();

 private:
  [[noreturn]] void refuse(const std::string& reason) const {
    throw UserError(fmt::format("--config: line {}{}", line_, reason));
  }
  bool at_end() const { return at_ == text_.size(); }
  char next() const { return at_end() ? '\n' : text_[at_]; }
  void skip_spaces() {
    while (next() == ' ' || next() == '\t' || (next() == '\r' && !at_end())) ++at_;
  }
  void skip_comment() {
    if (next() == '#')
      while (next() != '\n') ++at_;
  }
  void end_line();
  std::string taken_while(std::string_view characters);

  void read_table();
  void read_key();
  std::string quoted();
  std::string value();
  std::vector<std::string> list();

  std::string text_;
  std::size_t at_ = 0;
  int line_ = 1;
  std::vector<std::string> table_;
  std::map<std::string, int> lines_;  ///< of the keys
  std::vector<CLI::ConfigItem> items_;
};

constexpr std::string_view key_characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

std::string Reader::taken_while(std::string_view characters) {
  const std::size_t end = std::min(text_.find_first_not_of(characters, at_), text_.size());
  std::string taken = text_.substr(at_, end - at_);
  at_ = end;
  return taken;
}

/// Behind a table or a value.
void Reader::end_line() {
  skip_spaces();
  skip_comment();
  if (next() != '\n') refuse(" has more than one value; write each key in a line of its own, lists in [ ].");
  at_ += at_end() ? 0 : 1;
  ++line_;
}

void Reader::read_table() {
  if (!table_.empty()) refuse(" begins a second table; write a file for each job.");
  ++at_;
  const std::string model = taken_while(key_characters), dot = taken_while("."), method = taken_while(key_characters);
  const std::optional<Model> known = model_named(model);
  const std::vector<JobCommand> commands = known ? commands_of(preset_of(*known)) : std::vector<JobCommand>();
  const bool has_method =
      std::any_of(commands.begin(), commands.end(), [&](JobCommand command) { return name_of(command) == method; });
  if (dot != "." || !has_method || next() != ']')
    refuse(" is no table of a model and a method; write for example [ea3d.relaxation].");
  ++at_;
  table_ = {model, method};
  for (std::size_t depth = 1; depth <= table_.size(); ++depth)  // CLI11 starts the command
    items_.push_back({{table_.begin(), table_.begin() + static_cast<std::ptrdiff_t>(depth)}, "++", {}});
}

/// Between quotes of either kind, in one line.
std::string Reader::quoted() {
  const char quote = text_[at_++];
  std::string text;
  for (; next() != quote; ++at_) {
    if (next() == '\n') refuse(" has a text without an end; close its quotes in the same line.");
    if (next() == '\\' && quote == '"') {
      ++at_;
      if (next() != '\\' && next() != '"')
        refuse(" has a \\ in a text; write such a text in single quotes, for example 'a\\b'.");
    }
    text += text_[at_];
  }
  ++at_;
  return text;
}

std::string Reader::value() {
  if (next() == '"' || next() == '\'') return quoted();
  const std::size_t end = std::min(text_.find_first_of(" \t\r\n,]#", at_), text_.size());
  std::string word = text_.substr(at_, end - at_);
  static const std::regex number("[+-]?(inf|nan|(0|[1-9](_?[0-9])*)(\\.[0-9](_?[0-9])*)?([eE][+-]?[0-9](_?[0-9])*)?)");
  constexpr std::size_t longest = 1000;  // the regular expression is recursive
  if (word != "true" && word != "false" && (word.size() > longest || !std::regex_match(word, number)))
    refuse(
        fmt::format(": {} is no value; write a decimal number, a text in quotes, true or false, or a list of these "
                    "in [ ].",
                    word.empty() ? "nothing" : shortened(word)));
  at_ = end;
  if (word[0] == '+') word.erase(0, 1);
  std::erase(word, '_');
  return word;
}

/// May stretch over lines and end with a comma.
std::vector<std::string> Reader::list() {
  std::vector<std::string> values;
  const auto skip = [&] {
    for (skip_spaces(), skip_comment(); next() == '\n'; skip_spaces(), skip_comment()) {
      if (at_end()) refuse(" ends within a list; close it with ].");
      ++at_, ++line_;
    }
  };
  ++at_;
  for (skip(); next() != ']'; skip()) {
    values.push_back(value());
    skip();
    if (next() == ']') break;
    if (next() != ',') refuse(" has a list without commas; write for example [1.0, 1.1].");
    ++at_;
  }
  ++at_;
  if (values.empty()) refuse(" has an empty list; give values or leave the key out.");
  return values;
}

void Reader::read_key() {
  const std::string key = taken_while(key_characters);
  skip_spaces();
  if (key.empty() || key[0] == '-' || next() != '=')
    refuse(" has no key and value; write for example L = 8, with a key of letters and dashes.");
  ++at_;
  if (const auto [first, is_new] = lines_.emplace(key, line_); !is_new)
    refuse(fmt::format(": {} is given twice, also in line {}; keep one of them.", shortened(key), first->second));
  skip_spaces();
  items_.push_back({table_, key, next() == '[' ? list() : std::vector<std::string>{value()}});
}

std::vector<CLI::ConfigItem> Reader::items() {
  while (!at_end()) {
    skip_spaces();
    if (next() == '[')
      read_table();
    else if (next() != '#' && next() != '\n')
      read_key();
    end_line();
  }
  for (std::size_t depth = table_.size(); depth > 0; --depth)
    items_.push_back({{table_.begin(), table_.begin() + static_cast<std::ptrdiff_t>(depth)}, "--", {}});
  return items_;
}

}  // namespace

std::vector<CLI::ConfigItem> OptionFile::from_config(std::istream& input) const {
  std::string text = text_of(input);
  require_text(text);
  return Reader(std::move(text)).items();
}

}  // namespace psflip::app
