"""The page of the grammar, with a railroad diagram of each production, and its style sheet."""

from __future__ import annotations

import re

from sgf_lark.diagnostics import Language
from sgf_lark.teaching import page

_HEADS = {
    "en": "# Grammar\n\nEach production of the grammar files, as EBNF, as Lark reads it and as a "
    "diagram. Names are links. `sgf-lark grammar` prints the files.\n\n",
    "zh": "# 语法\n\n语法文件中的每条产生式：EBNF、Lark 的写法和语法图。名称都是链接。"
    "`sgf-lark grammar` 打印这些文件。\n\n",
}


def markdown(language: Language) -> str:
    """The page."""
    contents = page.page(language).partition("<nav>")[2].partition("</body>")[0]
    contents = "<nav>" + contents.replace("</header>\n", "").replace("<main>", "<div>")
    contents = contents.replace("</main>", "</div>").replace("<nav>", '<nav aria-label="grammar">')
    # Lines that are empty or indented would end the block of HTML in Markdown.
    contents = re.sub(
        r"<pre.*?</pre>",
        lambda match: match[0].replace("\n", "&#10;"),
        contents,
        flags=re.DOTALL,
    )
    contents = re.sub(r"\s*\n\s*", " ", contents)
    return f'{_HEADS[language]}<div class="grammar">{contents}</div>\n'
