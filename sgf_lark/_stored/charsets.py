"""Made by ``python -m sgf_lark.engine``."""

MADE_FROM = "4739 bytes, CRC-32 67ecf72b"

CONTENT = {
    'charset': (
        {'name': 'US-ASCII', 'aliases': ('ANSI_X3.4-1968', 'ANSI_X3.4-1986', 'ISO646-US', 'ISO_646.irv:1991', 'ASCII', 'us', 'IBM367', 'cp367', 'iso-ir-6', 'csASCII'), 'codec': 'ascii'},
        {'name': 'ISO-8859-1', 'aliases': ('ISO_8859-1:1987', 'ISO_8859-1', 'latin1', 'l1', 'IBM819', 'CP819', 'iso-ir-100', 'csISOLatin1'), 'near': ('latin-1', 'iso8859-1', 'iso88591', '8859-1'), 'codec': 'latin-1'},
        {'name': 'ISO-8859-2', 'aliases': ('ISO_8859-2:1987', 'ISO_8859-2', 'latin2', 'l2', 'iso-ir-101', 'csISOLatin2'), 'near': ('latin-2', 'iso8859-2'), 'codec': 'iso8859-2'},
        {'name': 'ISO-8859-5', 'aliases': ('ISO_8859-5:1988', 'ISO_8859-5', 'cyrillic', 'iso-ir-144', 'csISOLatinCyrillic'), 'near': ('iso8859-5',), 'codec': 'iso8859-5'},
        {'name': 'ISO-8859-7', 'aliases': ('ISO_8859-7:1987', 'ISO_8859-7', 'greek', 'greek8', 'iso-ir-126', 'csISOLatinGreek'), 'near': ('iso8859-7',), 'codec': 'iso8859-7'},
        {'name': 'ISO-8859-9', 'aliases': ('ISO_8859-9:1989', 'ISO_8859-9', 'latin5', 'l5', 'iso-ir-148', 'csISOLatin5'), 'near': ('latin-5', 'iso8859-9'), 'codec': 'iso8859-9'},
        {'name': 'ISO-8859-15', 'aliases': ('ISO_8859-15', 'Latin-9', 'csISO885915'), 'near': ('iso8859-15', 'latin9'), 'codec': 'iso8859-15'},
        {'name': 'windows-1252', 'aliases': ('cswindows1252',), 'near': ('cp1252', 'win1252', 'ansi'), 'codec': 'cp1252', 'guess': True},
        {'name': 'windows-1250', 'aliases': ('cswindows1250',), 'near': ('cp1250', 'win1250'), 'codec': 'cp1250', 'guess': True},
        {'name': 'windows-1251', 'aliases': ('cswindows1251',), 'near': ('cp1251', 'win1251'), 'codec': 'cp1251', 'guess': True},
        {'name': 'KOI8-R', 'aliases': ('csKOI8R',), 'near': ('koi8r', 'koi8'), 'codec': 'koi8-r', 'guess': True},
        {'name': 'UTF-8', 'aliases': ('csUTF8',), 'near': ('utf8', 'utf_8', 'unicode', 'u8', 'utf-8-sig'), 'codec': 'utf-8', 'guess': True},
        {'name': 'GB18030', 'aliases': ('csGB18030',), 'near': ('gb18030-2000', 'gb_18030'), 'codec': 'gb18030', 'trail': True, 'guess': True},
        {'name': 'GBK', 'aliases': ('CP936', 'MS936', 'windows-936', 'csGBK'), 'codec': 'gbk', 'trail': True},
        {'name': 'GB2312', 'aliases': ('csGB2312',), 'near': ('gb_2312', 'euc-cn', 'gb2312-80'), 'codec': 'gb2312'},
        {'name': 'Shift_JIS', 'aliases': ('MS_Kanji', 'csShiftJIS'), 'near': ('sjis', 'shift-jis', 'shiftjis', 'x-sjis'), 'codec': 'shift_jis', 'trail': True},
        {'name': 'Windows-31J', 'aliases': ('csWindows31J',), 'near': ('cp932', 'ms932'), 'codec': 'cp932', 'trail': True, 'guess': True},
        {'name': 'EUC-JP', 'aliases': ('Extended_UNIX_Code_Packed_Format_for_Japanese', 'csEUCPkdFmtJapanese'), 'near': ('eucjp', 'ujis', 'x-euc-jp'), 'codec': 'euc_jp', 'guess': True},
        {'name': 'ISO-2022-JP', 'aliases': ('csISO2022JP',), 'codec': 'iso2022_jp', 'trail': True},
        {'name': 'EUC-KR', 'aliases': ('csEUCKR',), 'near': ('euckr',), 'codec': 'euc_kr', 'guess': True},
        {'name': 'KS_C_5601-1987', 'aliases': ('iso-ir-149', 'KS_C_5601-1989', 'KSC_5601', 'korean', 'csKSC56011987'), 'near': ('cp949', 'ms949', 'uhc'), 'codec': 'cp949', 'guess': True},
        {'name': 'Big5', 'aliases': ('csBig5',), 'near': ('big-5', 'big5-tw', 'cp950'), 'codec': 'big5', 'trail': True, 'guess': True},
        {'name': 'Big5-HKSCS', 'aliases': ('csBig5HKSCS',), 'near': ('big5hkscs',), 'codec': 'big5hkscs', 'trail': True},
        {'name': 'UTF-16', 'aliases': ('csUTF16', 'UTF-16BE', 'UTF-16LE', 'ISO-10646-UCS-2', 'csUnicode', 'csUTF16BE', 'csUTF16LE'), 'near': ('utf16',), 'codec': 'utf-16-be', 'superset': False},
        {'name': 'UTF-32', 'aliases': ('csUTF32', 'UTF-32BE', 'UTF-32LE', 'ISO-10646-UCS-4', 'csUCS4', 'csUTF32BE', 'csUTF32LE'), 'near': ('utf32',), 'codec': 'utf-32-be', 'superset': False},
        {'name': 'UTF-7', 'aliases': ('csUTF7',), 'near': ('utf7',), 'codec': 'utf-7', 'superset': False},
        {'name': 'IBM037', 'aliases': ('cp037', 'ebcdic-cp-us', 'ebcdic-cp-ca', 'ebcdic-cp-wt', 'ebcdic-cp-nl', 'csIBM037'), 'codec': 'cp037', 'superset': False},
    ),
}
