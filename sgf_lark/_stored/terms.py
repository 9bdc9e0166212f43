"""Made by ``python -m sgf_lark.engine``."""

MADE_FROM = "6979 bytes, CRC-32 eac3758f"

CONTENT = {
    'term': (
        {'name': 'collection', 'kind': 'production', 'title': 'collection', 'title_zh': '棋谱集', 'text': 'A whole file: one game tree, or several one behind the other. Most files hold one.', 'text_zh': '整个文件：一棵对局树，或依次排列的多棵。大多数文件只有一棵。'},
        {'name': 'gametree', 'kind': 'production', 'title': 'game tree', 'title_zh': '对局树', 'text': 'A sequence of nodes in parentheses, and behind it the variations that go on from its last node, each a game tree again. The first variation is the main line.', 'text_zh': '括号中的一个节点序列，后面是从其最后一个节点继续的各个分支，每个分支又是一棵对局树。第一个分支是主线。'},
        {'name': 'sequence', 'kind': 'production', 'title': 'sequence', 'title_zh': '节点序列', 'text': 'One node, or several that follow each other without a choice.', 'text_zh': '一个节点，或没有分支、依次相连的多个节点。'},
        {'name': 'node', 'kind': 'production', 'title': 'node', 'title_zh': '节点', 'text': 'A semicolon and the properties of one step of the game: a move, or a position that is set up, and what is said about it. A node may be empty.', 'text_zh': '一个分号，以及对局中一步的各个属性：一步走子，或设置的局面，以及对它的说明。节点可以为空。'},
        {'name': 'property', 'kind': 'production', 'title': 'property', 'title_zh': '属性', 'text': 'An identifier and at least one value in brackets. Within a node each identifier stands once, and the order means nothing.', 'text_zh': '一个属性标识符和至少一个方括号中的属性值。同一节点中每个标识符只出现一次，顺序没有意义。'},
        {'name': 'propident', 'kind': 'production', 'title': 'property identifier', 'title_zh': '属性标识符', 'text': 'One or more capital letters that name a property, such as B for a move of Black.', 'text_zh': '一个或多个大写字母，是属性的名称，例如 B 表示黑方走子。'},
        {'name': 'propvalue', 'kind': 'production', 'title': 'property value', 'title_zh': '属性值', 'text': 'What stands between "[" and the first "]" that no backslash precedes. What it means depends on the type that the property has.', 'text_zh': '“[”与第一个前面没有反斜杠的“]”之间的内容。其含义取决于属性的值类型。'},
        {'name': 'none', 'kind': 'type', 'title': 'nothing', 'title_zh': '空值', 'text': 'No content: the property says all by being there, as in KO[].', 'text_zh': '没有内容：属性本身的出现就说明了一切，例如 KO[]。'},
        {'name': 'number', 'kind': 'type', 'title': 'a whole number', 'title_zh': '整数', 'text': 'A sign, if need be, and digits. The format sets no limit to its size.', 'text_zh': '需要时带正负号的数字串。格式对大小没有限制。'},
        {'name': 'real', 'kind': 'type', 'title': 'a number', 'title_zh': '实数', 'text': 'A number that may have decimals behind a point, as in KM[6.5]. There is no exponent and no comma.', 'text_zh': '可以带小数点和小数的数，例如 KM[6.5]。没有指数，也不用逗号。'},
        {'name': 'double', 'kind': 'type', 'title': '1 or 2', 'title_zh': '1 或 2', 'text': 'How strongly something is meant: 1 is normal, 2 is emphasized, as in TE[2] for a very good move.', 'text_zh': '程度：1 为普通，2 为强调，例如 TE[2] 表示非常好的着手。'},
        {'name': 'color', 'kind': 'type', 'title': 'B or W', 'title_zh': 'B 或 W', 'text': 'The side of a player: B for Black or W for White.', 'text_zh': '对局的一方：B 为黑方，W 为白方。'},
        {'name': 'simpletext', 'kind': 'type', 'title': 'a short text', 'title_zh': '简短文本', 'text': 'Text without line breaks, such as a name; a line break in it counts as a blank. "]" and the backslash are written behind a backslash, and in a composed value ":" too.', 'text_zh': '没有换行的文本，例如姓名；其中的换行算作空格。“]”和反斜杠前要加反斜杠，在复合值中“:”前也要加。'},
        {'name': 'text', 'kind': 'type', 'title': 'a text', 'title_zh': '文本', 'text': 'Text of any length with line breaks, such as a comment. A backslash takes the character behind it as it is, and hides a line break that stands behind it.', 'text_zh': '任意长度、可以换行的文本，例如评论。反斜杠使其后的字符保持原样，并使其后的换行消失。'},
        {'name': 'point', 'kind': 'type', 'title': 'a point', 'title_zh': '点', 'text': 'A point of the board. In Go two letters, the column from the left and the row from the top, "a" to "z" and then "A" to "Z". Other games have a notation of their own.', 'text_zh': '棋盘上的一个点。围棋用两个字母：自左起的列和自上起的行，先 a 到 z，再 A 到 Z。其他棋类有自己的写法。'},
        {'name': 'move', 'kind': 'type', 'title': 'a move', 'title_zh': '着手', 'text': 'What a player does in one turn. In Go a point, or nothing for a pass; up to 19 lines "tt" is a pass as well.', 'text_zh': '一方在一步中的行动。围棋中是一个点，空值表示停一手；棋盘不超过 19 路时“tt”也是停一手。'},
        {'name': 'stone', 'kind': 'type', 'title': 'a stone', 'title_zh': '棋子', 'text': 'A stone and where it stands. In Go the point alone, since the property tells the colour.', 'text_zh': '一个棋子及其位置。围棋中只写点，颜色由属性说明。'},
        {'name': 'compose', 'kind': 'type', 'title': 'two values joined by ":"', 'title_zh': '用“:”连接的两个值', 'text': 'Two values with a colon between them, such as a point and its label in LB[dd:A].', 'text_zh': '用冒号连接的两个值，例如 LB[dd:A] 中的点和标签。'},
        {'name': 'list', 'kind': 'type', 'title': 'a list', 'title_zh': '列表', 'text': 'One or more values, each in its own brackets. A list of points may also have rectangles, such as AB[aa:cc], from the upper left to the lower right corner.', 'text_zh': '一个或多个属性值，各在自己的方括号中。点的列表还可以用矩形，例如 AB[aa:cc]，从左上角到右下角。'},
        {'name': 'elist', 'kind': 'type', 'title': 'a list that may be empty', 'title_zh': '可以为空的列表', 'text': 'A list, or one empty value that says that there is nothing, such as DD[] to dim no points any more.', 'text_zh': '列表，或一个表示“没有”的空值，例如 DD[] 表示不再有变暗的点。'},
        {'name': 'unknown', 'kind': 'type', 'title': 'a value of a kind that is not described', 'title_zh': '未说明类型的值', 'text': 'No source says what the value looks like, so that it is kept as it is.', 'text_zh': '没有资料说明该值的形式，因此按原样保留。'},
    ),
}
