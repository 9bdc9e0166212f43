"""The page of each rule, and the list of all, from ``rules.toml`` and ``wei7.toml``.

The findings and fixes shown for an example are those that the library has for it.
"""

from __future__ import annotations

from collections.abc import Iterator

from writing import block, code, table, text

from sgf_lark import fix, grammar, wei7
from sgf_lark.cli.check_text import headline, severity_name
from sgf_lark.cli.excerpts import excerpt_lines
from sgf_lark.cli.results import Result
from sgf_lark.cli.terminal import OutputStyle
from sgf_lark.diagnostics import Language, Severity
from sgf_lark.grammar import Example, Rule
from sgf_lark.text.escaping import escape_lines
from sgf_lark.validation import validate
from sgf_lark.wei7.rules import Rule as Wei7Rule
from sgf_lark.wei7.rules import examples as wei7_examples
from sgf_lark.wei7.rules import rules as wei7_rules

#: The most examples of one kind on a page.
_EXAMPLES = 6
#: The columns of an excerpt.
_WIDTH = 76
#: The most characters of an example, or of the output for it, that are shown.
_LENGTH = 1500

_WORDS = {
    "en": {
        "title": "Rules",
        "intro": "Every rule has a code that never changes. `sgf-lark check --select CODE` "
        "reports one rule or a family, `--ignore CODE` leaves it out, and `sgf-lark explain CODE` "
        "shows its page in the terminal. What a profile asks: `strict`, does the file follow the "
        "specification; `default`, what has to be put right; `archive`, what is lost if nobody "
        "acts.",
        "code": "code",
        "name": "name",
        "summary": "what it asks",
        "severity": "Severity",
        "fix": "What to do",
        "fixes": "`sgf-lark fix` writes",
        "unsafe": "`sgf-lark fix --unsafe` writes",
        "bad": "Breaks the rule",
        "noted": "Legal, and reported as a note",
        "good": "Keeps the rule",
        "nothing": "No finding of this rule.",
        "source": "Source",
        "sgfc": "SGFC reports it as",
        "silent": "SGFC does not report it.",
        "related": "See also",
        "all": "All rules",
        "more": "…",
    },
    "zh": {
        "title": "规则",
        "intro": "每条规则都有一个永不改变的代码。`sgf-lark check --select 代码` 只报告一条规则或"
        "一组规则，`--ignore 代码` 不报告它，`sgf-lark explain 代码 --lang zh` 在终端显示它的"
        "说明。三个配置各问一个问题：`strict`，文件是否符合规范；`default`，什么必须改正；"
        "`archive`，如果没人处理会丢失什么。",
        "code": "代码",
        "name": "名称",
        "summary": "要求",
        "severity": "级别",
        "fix": "如何处理",
        "fixes": "`sgf-lark fix` 的结果",
        "unsafe": "`sgf-lark fix --unsafe` 的结果",
        "bad": "违反规则",
        "noted": "合法，仅作提示",
        "good": "符合规则",
        "nothing": "这条规则没有报告。",
        "source": "出处",
        "sgfc": "SGFC 编号",
        "silent": "SGFC 不报告。",
        "related": "另见",
        "all": "所有规则",
        "more": "……",
    },
}

_FAMILIES = {
    "SGF0": ("The file cannot be read", "无法读取的文件"),
    "SGF1": ("Syntax", "语法"),
    "SGF2": ("Charset and text", "字符集与文字"),
    "SGF3": ("Syntax of values", "属性值的语法"),
    "SGF4": ("Range and format of values", "属性值的范围与格式"),
    "SGF5": ("Nodes", "节点"),
    "SGF6": ("Paths and trees", "路径与树"),
    "SGF7": ("Collections", "对局集"),
    "SGF8": ("Game and position", "棋类与局面"),
    "SGF9": ("Style", "风格"),
    "WEI": ("The JSON format wei7", "JSON 格式 wei7"),
}


def pages(language: Language) -> Iterator[tuple[str, str]]:
    """Yield the path of each page, and its Markdown."""
    yield "rules/index.md", _index(language)
    for rule in grammar.rules().values():
        yield f"rules/{rule.code}.md", _Page(language).rule(rule)
    for wei7_rule in wei7_rules().values():
        yield f"rules/{wei7_rule.code}.md", _Page(language).wei7_rule(wei7_rule)


def _index(language: Language) -> str:
    words = _WORDS[language]
    found = f"# {words['title']}\n\n{words['intro']}\n\n"
    rules = [*grammar.rules().values(), *wei7_rules().values()]
    for family, names in _FAMILIES.items():
        rows = [
            [f"[{rule.code}]({rule.code}.md)", code(rule.name), _chosen(rule, "summary", language)]
            for rule in rules
            if rule.code.startswith(family)
        ]
        heading = f"{family}{'xx' if family[-1].isdigit() else ''}"
        found += f"## {heading} {names[language == 'zh']} {{ #{family.lower()} }}\n\n"
        found += table([words["code"], words["name"], words["summary"]], rows)
    return found


def _chosen(rule: Rule | Wei7Rule, key: str, language: Language) -> str:
    return text(str(getattr(rule, key + ("_zh" if language == "zh" else ""))))


class _Page:
    def __init__(self, language: Language) -> None:
        self.language = language
        self.words = _WORDS[language]

    def rule(self, rule: Rule) -> str:
        levels = [
            severity_name(Severity(each), self.language) if each != "off" else "–"
            for each in rule.severity.values()
        ]
        return "".join(
            (
                self._head(rule),
                table([f"`{profile}`" for profile in rule.severity], [levels]),
                self._examples(rule, "bad", rule.bad),
                self._examples(rule, "noted", rule.noted),
                self._examples(rule, "good", rule.kept),
                self._foot(rule),
            )
        )

    def wei7_rule(self, rule: Wei7Rule) -> str:
        severity = severity_name(Severity(rule.severity), self.language)
        found = self._head(rule) + f"{self.words['severity']}: {severity}\n\n"
        shown = [each for each in wei7_examples() if each.codes == (rule.code,)]
        for number, example in enumerate(shown[:_EXAMPLES]):
            found += f"## {self.words['bad']}\n\n" if not number else ""
            found += block(_shown(example.text), "json")
            findings = wei7.validate(example.text, language=self.language).diagnostics
            found += block(
                "\n".join(
                    f"{each.span.line}:{each.span.column} {each.code} {each.message}"
                    for each in findings
                )
            )
        return found + f"{self.words['source']}: {text(rule.source)}\n"

    def _head(self, rule: Rule | Wei7Rule) -> str:
        summary = _chosen(rule, "summary", self.language)
        parts = [
            f"# {rule.code} {rule.name}",
            f"[← {self.words['all']}](index.md)",
            f"**{summary}**",
            _chosen(rule, "explanation", self.language),
            f"{self.words['fix']}: {_chosen(rule, 'fix', self.language)}",
        ]
        return "\n\n".join(parts) + "\n\n"

    def _examples(self, rule: Rule, kind: str, examples: tuple[Example, ...]) -> str:
        found = ""
        for number, example in enumerate(examples[:_EXAMPLES]):
            found += f"## {self.words[kind]}\n\n" if not number else ""
            found += block(_shown(example.data), "text")
            found += self._output(rule, example)
            found += self._fixed(rule, example) if kind == "bad" else ""
        return found

    def _output(self, rule: Rule, example: Example) -> str:
        """The findings of the rule, as `sgf-lark check` prints them."""
        report = validate(example.data, charset_mode=example.charset_mode, language=self.language)
        style = OutputStyle(width=_WIDTH, language=self.language)
        result = Result("game.sgf", report)
        lines: list[str] = []
        for number, found in enumerate(report.diagnostics):
            if found.code == rule.code:
                lines.append(headline(result, number, found, style))
                lines += excerpt_lines(report.source, found.span, style) if example.data else []
        if not lines:
            return f"{self.words['nothing']}\n\n"
        return '<div class="output" markdown>\n\n' + block(_cut("\n".join(lines))) + "</div>\n\n"

    def _fixed(self, rule: Rule, example: Example) -> str:
        """What a fix of the rule makes of the example: the safe one, or else the unsafe one."""
        for unsafe, word in ((False, "fixes"), (True, "unsafe")):
            result = fix(
                example.data,
                unsafe=unsafe,
                select=[rule.code],
                charset_mode=example.charset_mode,
            )
            if any(change.code == rule.code for change in result.applied):
                return f"{self.words[word]}\n\n{block(_shown(result.data), 'text')}"
        return ""

    def _foot(self, rule: Rule) -> str:
        found = f"{self.words['source']}: {text(rule.source)}. "
        if rule.sgfc is None:
            found += self.words["silent"]
        else:
            found += f"{self.words['sgfc']} {rule.sgfc}."
        others = [f"[{other.code} {other.name}]({other.code}.md)" for other in rule.related]
        return found + (f"\n\n{self.words['related']}: {', '.join(others)}\n" if others else "\n")


def _shown(data: bytes) -> str:
    """The bytes as text: in UTF-8, or else each as the character with its number."""
    try:
        decoded = data.decode("utf-8")
    except UnicodeDecodeError:
        decoded = data.decode("latin-1")
    return _cut(escape_lines(decoded.replace("\r\n", "\n")))


def _cut(shown: str) -> str:
    return shown if len(shown) <= _LENGTH else shown[:_LENGTH] + "…"
