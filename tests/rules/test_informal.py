"""What people write in game records, and what it means in SGF."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from hypothesis import given
from hypothesis import strategies as st

from sgf_lark.model import informal
from sgf_lark.model.informal import Interpretation
from sgf_lark.model.informal.words import any_of, leading_word
from sgf_lark.syntax import grammars as value_grammar
from tests.kit.tables import for_each

Reader = Callable[[str], Interpretation | None]
#: For each reader the values in SGF, and the texts that mean them.
Meanings = dict[Reader, dict[str, list[str]]]

#: What a text means as a whole.
WHOLE: Meanings = {
    informal.dates: {
        "1996-05-06": [
            '"1996-05-06"', "1996 May 6", "中華民國八十五年五月六日", "-1996-05-06-",
            "(1996-05-06)", "1996--05-06", "1996-05-06".ljust(80), "1996–05–06", "1996—5—6",
            "1996−05−06", "平成8.5.6", "단기 4329년 5월 6일",
        ],
        "1988-04-03,04": ["1988年4月3日・4日"],
        "1996-05-06,07": [
            "1996-05-06 - 07", "1996-5-6, 7", "May 6-7, 1996", "6-7 May 1996",
            "1996年5月6日から7日", "vom 6. bis 7. Mai 1996", "6./7. Mai 1996",
            "van 6 tot 7 mei 1996", "del 6 al 7 de mayo de 1996", "с 6 по 7 мая 1996 года",
            "1996-05-06/07", "1996-05-06–07", "1996.5.6-7",
        ],
        "1996-02-29,03-01": ["1996-02-29 - 03-01"],
        "1996-05-06,07,09": ["1996-5-6, 7 and 9", "1996-05-06 - 07, 09"],
        "1996-05-06,06-01": ["1996-05-06 & 1996-06-01", "1996-05-06, 6-1"],
        "1996-04,05": ["1996-04 - 1996-05"],
        "1996,1997": ["1996 - 1997", "1996 and 1997"],
        "2008-02-23": [
            "2008年2月23日", "平成20年2月23日", "二〇〇八年二月二十三日", "2008年2月23号",
            "2008년 2월 23일 (토)",
        ],
        "2008-02": ["2008年2月", "2008년 2월"],
        "2008": ["2008年"],
        "1926-12-26": ["昭和元年12月26日"],
        "2001-08-01": ["August 1, 2001", "1 Aug. 2001", "1st of August 2001"],
        "1996-05-06,08,10": ["6, 8 and 10 May 1996"],
        "1996-04-30,05-01": ["30 April - 1 May 1996"],
        "1995-12-31,1996-01-01": ["Dec 31, 1995 - Jan 1, 1996"],
        "2001-05-06": ["6 mai 2001", "6 de mayo de 2001", "6 maja 2001 r.", "6 мая 2001 г."],
        "2001-05-01": ["le 1er mai 2001"],
        "2001-06-06": ["6. června 2001"],
        "1998-03-03": ["3. März 1998"],
        "1995-06": ["June 1995"],
        "1995-05": ["1995 May"],
        "1996-03-04": [
            "1996-Mar-04", "4-Mar-1996", "Mon, 4 March 1996", "1996-03-04 (月)",
            "1996年3月4日 星期一", "19960304", "1996-03-04,",
        ],
        "1996-06-25": ["25/6/1996", "6/25/1996"],
        "1996-05-05": ["5/5/1996"],
        "2003-05": ["2003/05"],
        "1996-05-13": ["13/5/1996", "5/13/1996"],
        "1996-12-12": ["12/12/1996"],
        "1996-12-13": ["13/12/1996", "12/13/1996"],
        "1996-05": ["1996-5", "公元1996年5月", "1996–05"],
        "1990": ["平成2年"],
        "1989-01-07": ["昭和64年1月7日"],
        "2011": ["民国100年"],
        "1996-12-23": ["一九九六年十二月廿三日"],
        "1996-10-30": ["1996年十月三十日"],
        "2008-02-23,24": ["2008年2月23-24日"],
        "1996-10-06": ["6 октября 1996"],
        "1996-08-06": ["6.VIII.1996"],
        "1996-06-30,07-01": ["30 June and 1 July 1996"],
        "1996-05,06": ["May/June 1996"],
        "1999-12-12": ["Dec.12.1999", "Dec-12-1999"],
        "1996-08": ["1996/8"],
        "1926-12-25": ["昭和元年12月25日"],
        "1600-05-06": ["16000506"],
        "2099-12-31": ["20991231"],
        "1995-12,1996-01": ["1995-12 - 1996-01"],
        "1996-05-05,06,07": ["5, 6-7 May 1996"],
        "1996-04-30,05-01,1997-06-02": ["30 April and 1 May 1996 and 2 June 1997"],
        "1996-04-01,02,03,04,05,06,07,08,09,10,11,12,06-03": [
            "1,2,3,4,5,6,7,8,9,10,11,12 Apr & 3 June 1996",
        ],
        "1988-01-07": ["昭和63-1-7", "Shōwa 63.1.7"],
        "2020-03-04": ["令和2/3/4"],
        "1996": ["Heisei 8", "檀紀4329年"],
    },
    informal.result: {
        "W+R": [
            "White wins (Black resigned)", "W+Res", "白中押し勝ち", "Blanc gagne par abandon",
            "White wins (resignation)", "흑 불계패", "Schwarz gibt auf", "Noir abandonne",
            "zwart geeft op", "wit wint door opgave", "las negras abandonan", "чёрные сдались",
            "W+resignat", "白不計點勝", "黑投降",
        ],
        "B+T": ["Black wins, White lost on time", "黑胜（白超时）", "B+Time", "白超时判负"],
        "W+T": [
            "백승 (흑 시간패)", "Победа белых по времени", "W+Time Over", "W wins on time",
            "黑超时负", "Black lost on time", "白の時間切れ勝ち", "백 시간승",
            "Weiß gewinnt durch Zeitüberschreitung", "Black loses on time",
        ],
        "0": [
            "双方和棋", "0 (Jigo)", "jigo", "0.0", "0 points", "和局", "Unentschieden", "引き分け",
            "patta", "remise", "drawn game",
        ],
        "B+R": [
            "白棋中盘认输", "Victoire de Noir par abandon", "W. resigns", "「B+R」", "b+r",
            "黑中盘胜", "흑 불계승", "White resigns", "Schwarz gewinnt durch Aufgabe", "白认输",
            "B+resig", "B+aban", "黑不计点胜", "White surrenders",
        ],
        "B+3.5": [
            "Black wins, 3.5 points", "Black won by three and a half points", "黑胜3目半",
            "B+3.5 (moku)", "Black wins (by 3.5 points)", "黒番3目半勝ち",
            "Schwarz gewinnt mit dreieinhalb Punkten", "zwart wint met drie en een halve punt",
            "흑3.5집승",
        ],
        "Void": ["三劫無勝負", "No result", "打ち掛け", "無効", "no contest"],
        "B+F": ["White did not show up", "White forfeits", "B+Forf", "Black wins by no-show"],
        "W+": ["Wins White", "白の勝ち"],
        "B+5.75": ["black wins by 5 3/4 points"],
        "W+0.5": ["White wins by half a point", "白半目勝", "white + 1/2", "W+half"],
        "W+F": ["W+Forfeit", "黑弃权", "White wins by walkover"],
        "W+3.5": [
            "백 3집반승", "Blanc gagne de 3,5 points", "белые выиграли 3,5 очка",
            "wit wint met 3,5 punten",
        ],
        "B+0.5": ["B+.5", "흑 반집승"],
        "B+5": ["B+5."],
        "W+5.5": ["W+5½", "W+5,5 points"],
        "W+1": ["W++1.0"],
        "B+": ["B", "Black wins", "black", "黑棋胜", "黑获胜"],
        "B+0": ["B+0.0"],
        "B+3": ["黑胜by 3目"],
        "W+2.5": ["White won by 2 points and a half", "las blancas ganan por 2 puntos y medio"],
        "B+1.5": ["黑胜一目半"],
        "?": ["结果不明", "n/a"],
    },
    informal.number: {
        "6.5": [
            "6,5", "6 .5", "sechseinhalb", "6 et demi", "seis y medio", "zes en een half",
            "шесть с половиной",
        ],
        "5.5": ["5 1/2", "5½", "5 and a half", "5.5."],
        "0.5": [".5", "+ 0,5", "0,500"],
        "5": ["5."],
        "-0.5": ["-.5"],
        "7": [" 7 "],
        "-3": ["-3"],
        "3": ["three", "drei"],
        "12345678901234.5": ["12345678901234.5"],
        "0.625": ["10/16"],
        "0.03125": ["1/32"],
        "1.00001": ["1.00001"],
        "1.5": ["1.500000000"],
        "9" * 15: ["9" * 15],
        "9" * 15 + ".5": ["9" * 15 + ".5", "9" * 15 + " 1/2"],
    },
    informal.komi: {
        "-5.5": ["白贴5目半", "逆コミ5目半", "reverse komi 5.5"],
        "6.5": [
            "K6.5", "6.5 points", "Komi 6.5", "6.5目", "6目半", "덤 6집반", "六目半",
            "六目半コミ出し", "White receives 6.5",
        ],
        "7.5": ["7.5点", "“7.5”", "7½", "贴七目半"],
        "4.5": ["黒出し4目半"],
        "-5": ["逆贴5目"],
        "0": ["무덤", "none", "ohne Komi", "덤 없음", "없음"],
        "5.5": [
            "komi: 5 1/2", "5 and a half", "5 and 1/2points", "5 points and a half", "5,5 Punkte",
            "5,5 puntos", "5 punti e mezzo",
        ],
        "3.75": ["3又3/4目"],
        "0.5": ["half a point"],
        "-6.5": ["-6.5", "倒贴6目半"],
        "10.5": ["十目半"],
    },
    informal.handicap: {
        "2": ["2.", "H2", "受二子", "두점", "让两子"],
        "3": [
            "3 stones", "3 Steine", "drei Steine", "3 pierres", "3 stenen", "3 piedras", "3 камня",
            "3점", "让三子", "3 stone handicap", "HC 3",
        ],
        "4": ["four", "Handicap: 4", "四子局"],
        "5": ["5子", "五子置き"],
        "0": ["00", "none", "호선", "対子", "对子", "ohne Vorgabe"],
        "13": ["十三子"],
        "9": ["九子", "9 kamieni"],
    },
    informal.seconds: {
        "32400": ["9 hours"],
        "9000": ["2h30", "2 ч 30 мин"],
        "5400": [
            "1h30m", "1 hour and 30 minutes", "1½ hours", "1時間半", "1:30:00", "90 min.", "1,5 h",
            "一小時三十分",
        ],
        "5420": ["1h 30m 20s", "1:30:20"],
        "1800": ["half an hour", "0.5 h", "30分"],
        "10800": ["3小时"],
        "3600": ["60分"],
        "86400": ["1 day"],
        "0": ["0 min"],
        "3900": ["1h 5m"],
        "5760": ["1.60 h"],
        "7200": ["2.00 h", "2 heures", "两小时", "2 uur"],
        "1.5": ["1.50 s"],
        "30": ["30 Sek."],
        "2700": ["45 minutes"],
    },
    informal.rank: {
        "9d": ["9 Dan", "9 dan"],
        "5k": ["5 KYU", "5급"],
        "3k": ["3級", "3 кю"],
        "4d?": ["4d?"],
        "1d*": ["1d *"],
        "30k": ["30 k"],
        "3k?": ["3k?"],
        "9p": [
            "P9", "P9段", "Pro 9 dan", "9d pro", "9 dan (pro)", "職業九段", "专业九段", "프로 9단",
            "9p",
        ],
        "3p": ["pro 3", "プロ三段"],
        "5p": ["职业5段"],
        "6d": ["アマ六段", "amateur 6d", "6 dan amateur"],
        "5d": ["业余5段", "5th dan"],
        "1k": ["1級", "1st kyu"],
        "15k": ["十五级"],
        "18k": ["18급"],
        "4d": ["４Ｄ"],
        "5d*": ["5 dan*"],
    },
    informal.color: {
        "B": ["b", "黑"],
        "W": [" White "],
    },
}  # fmt: skip

#: What a part of a text means, where that is all that is understood.
PART: Meanings = {
    informal.dates: {
        "1999": ["13.1999", "29.2.1999"],
        "1996,1998": ["1996 - 1998"],
        "1926": ["昭和元年1月2日"],
        "1872": ["明治5年1月2日", "Meiji 5-12-3"],
        "1996-05-06,07,08": ["6-8 May 1996", "6/8 May 1996", "1996-05-06/08", "1996-05-06 - 08"],
        "1996": [
            "1996-13-01", "12/5/1996", "5/12/1996", "1996--6", "1996-", "1996-005", "1996-005-06",
            "/25/1996", "25//1996", "025/6/1996", "25/006/1996", "5/6/1996", "1996 x", "'96", "96",
            "1996년경", "Spring 1996", "Frühjahr 1996", "été 1996", "1996年春", "1996 - 1996",
        ],
        "1996-05": [
            "1996-5-", "Broadcast: May 1996", "1996年5月発表", "1996-05-", "early May 1996",
        ],
        "1996-05-06,06": ["1996-05-06, 6-"],
        "2008-02-23": ["2008년 2월 23일 (월)"],
        "1996-05-06": [
            "1996-05-06-", "Published 1996-05-06", "1996-05-06?", "1996-05--06", "1996-05- 06",
            "1996-05-06 - ?", "1996-05-06, round 3", "1996-05-06 14時30分", "96.5.6", "96年5月6日",
        ],
        "1996-07": ["1996-7", "1996/7"],
        "1996,1997": ["1996-97", "1996/97", "1996/1997", "winter 1996/97", "1996–97"],
        "1996-06-05,06": ["5.6.1996 - 6.6.1996"],
        "2003-04,2005": ["2003/04 and 2005"],
        "2001,2003-04": ["2001 and 2003/04"],
        "2017-06-29": ["2017.06.29 09:20"],
        "2001-10-01": ["2001-10-01T22:03:45 UT"],
        "2024-03-05": ["5.3.2024"],
        "1994-03-12,13": ["12th and 13th march 94"],
        "1996-05-06,06-20": ["1996-05-06 - 1996-06-20"],
        "1996-02": ["1996-02-30"],
        "1999-12-04": ["1999,12,04"],
        "1996-10": ["Oct '96"],
        "1999-12": ["12.1999"],
        "2012-06-10": ["2012年6月10日上午"],
        "2003": ["2003年度"],
        "1933-10-16,1934-01-29": ["1933-10-16..1934-01-29"],
        "1996-05-09": ["Thu May 9 12:00:00 1996", "May 9 9:00:00 1996"],
        "1996-05-06,07": ["1996-05-06,,07"],
        "2003-04": ["2003/04"],
        "1999,2000": ["1999/00"],
        "1995-05-13": ["13/5/95"],
        "1842-03-30": ["1842-03-30 (Tenpo 13 II 19)", "天保13年2月19日 (1842-03-30)"],
        "1846-09-11,14": ["1846-09-11,14 (Kōka 3 VII 21, 24)"],
        "1848-08-23": ["1848-08-23 (嘉永元年7月25日)"],
        "1795": ["Kansei 7 (1795)"],
        "1842": ["天保13年2月19日", "Tenpo 13 II 19"],
        "1846": ["弘化3年7月21日、23日、25日"],
        "1716": ["康熙55年"],
        "1904": ["光緒三十年"],
        "2016-03-09": [
            "9 Mar 2016, 13:00 KST", "9 Mar 2016 1:00 pm", "Wed Mar 09 13:00:05 CET 2016",
            "Wed, 09 Mar 2016 13:00:05 +0900",
        ],
        "2005": ["’05"],
        "1800": ["c. 1800", "~1800", "1800?", "1800年頃", "1800年ごろ"],
        "1670": ["ca 1670"],
        "1940-05-03": ["3 May 40"],
        "1600": ["5/6/1600"],
        "2099": ["5/6/2099"],
        "1996-05-" + ",".join(f"{day:02}" for day in range(1, 32)) + ",06-01": [
            "1996-05-01 - 1996-06-01",
        ],
        "1996-05-01,06-02": ["1996-05-01 - 1996-06-02"],
    },
    informal.result: {
        "W+": [
            "White wins (White resigned)", "W+51/2", "W+1,500", "White wins (res]", "W+a", "W+by",
            "W wins by", "White won by 2.5 points and a half", "W+tim", "白胜3目或5目",
        ],
        "B+": [
            "Black by White", "B+AW", "B+V", "B+-3", "B+1/3", "B+-0.5", "흑 기권승",
            "B+3.5 or B+4.5", "B+J", "黑胜185子", "黑胜半子", "B+?", "B+3.5 or R",
        ],
        "B+R": [
            "White resign", "White resigned after move 150", "White resigns. B 133.5 W 81.0",
            "B+R?", "Noir par abandon", "nero per abbandono", "257手完, 黒中押し勝ち",
            "黑中盘胜 共231手", "143 moves, B+R after 143 moves",
        ],
        "Void": ["unfinished", "Unfinished", "未完", "abgebrochen"],
        "W+R": [
            "Black resigns early", "zwart opgave", "Black resignation", "Noir abandon",
            "White by resignation", "Weiß durch Aufgabe", "W+Res (moves 231)",
        ],
        "0": ["Draw by mutual agreement", "Draw (superko)"],
        "W+0.5": ["白以1/4子胜"],
        "W+3.5": ["W+3.5 (moves 231)", "W+3.5??", "Blanco por 3,5 puntos", "231手まで白3目半勝"],
        "W+5.5": ["白胜2又3/4子"],
        "B+5.5": ["黑胜二又四分之三子", "黑胜2子3/4"],
        "B+0.5": ["黑胜1/4子"],
        "W+F": ["W+Forfeit by no-show"],
        "B+T": ["B+Time (server crash)"],
        "W+T": ["wit door tijd"],
        "B+7": ["终局，黑胜3又1/2子"],
        "W+2.5": ["Result: white won by 2.5"],
        "B+1.5": ["B+1.5 after 250 moves"],
    },
    informal.komi: {
        "7.5": ["3又3/4子", "贴3又3/4子", "7.5 (Chinese)", "黑贴3又3/4子", "3.75子", "7.5 Chinese"],
        "5": ["黑贴两子半"],
        "5.5": ["2又四分之三子"],
        "-0.5": ["0.5 (reverse)"],
        "0.5": ["half"],
        "6.5": ["6.5b"],
    },
    informal.handicap: {
        "0": ["让先", "定先"],
    },
    informal.seconds: {
        "600": ["10 min + 30 s", "10:00"],
        "3600": ["1 hr/125 moves"],
        "7200": ["2 hours each"],
        "1800": ["30:00"],
        "1820": ["30:20"],
        "60000": ["1000:00"],
    },
    informal.rank: {
        "9d": ["9段", "9단", "9段 (职业棋士)"],
        "1d": ["初段", "초단", "shodan"],
        "3p": ["3p (amateur)"],
        "5d": ["五段", "5 Dan (EGF)"],
        "7d?": ["７段?"],
        "3k": ["Kyu 3"],
        "4d*": ["dan 4*"],
    },
    informal.color: {
        "W": ["w 123", "w, black"],
    },
    informal.number_with_text: {
        "1": ["1 kk"],
        "-2.5": ["-2.50 abc!?"],
    },
}  # fmt: skip

#: Texts in which nothing is understood: no fix writes a part of them.
NOTHING: dict[Callable[[str], object], list[str]] = {
    informal.dates: [
        "1996-05-06-07", "民国二十", "6. listopada 2001", "Tue, 4 March 1996", "5/6/96", "3 May 04",
        "1996/5/6 7", "14", "", "1996-05-006", "2008年月", "2008年002月", "2008年2月日",
        "2008年2月023日", "100 May 1996", "1996-05-06, /7", "1996-05-06, 006-07", "1996-05-06, 007",
        "平成年", "昭和100年", "昭和65年", "民国1000年", "一百年", "June/May 1996", "昭和63年13日",
        "15990506", "21000101", "1996-05-06 -07", "1996-05-06- 07", "1996 - 1997-05",
        "1996-02-30 - 1996-03-01", "1996-02-29 - 1996-02-30", "7-6 May 1996", "7-6, 8 May 1996",
        "7-6 Apr and 1 Jun 1996", "30 Jun and 1 Apr 1996", "1 Apr and 1 Apr 1996",
        "1, 30 Jun and 20 Jun 1996", "1,2,3,4,5,6,7,8,9,10,11,12,13 Apr & 3 June 1996",
        "Mon, 1996-03-04, 05", "Mon, March 1996", "1996-05-06".ljust(81), "단기 1000년", "S63.1.7",
        "3 May 39", "196", "199?", "199-", "19??", "05", "天保25年", "天保間", "1996-05-06 (or 07)",
        "5/6/1599", "5/6/2100", "May 9 :00:00 1996", "May 9 112:00:00 1996", "1997 - 1996",
        "1996-05-06 8", "1996-05-06 or 1996-05-07", "1996-05 - 06", "May 6, 1996 - June", "5/6/95",
        "before 1800", "18th century", "1800s",
    ],
    informal.result: [
        "黑不胜", "白没有胜", "白番の勝ちではない", "Schwarz gewinnt nicht", "흑승 아님",
        "0 (komi)", "黑超时", "White timeout", "Both lost", "Bob wins", "", "0 stones", "백 기권",
        "黑未胜", "白没有赢", "黒勝たず", "흑이 이기지 못했다", "White wins not",
        "Black won? No, never", "noir gagne pas", "белые выиграли? не", "las negras ganan nunca",
        "Black resigned but won", "Draw or win", "B+3.5 or W+2", "B+R/W+R", "黑胜或白胜",
        "Black res", "B 3.5", "after 250 moves",
    ],
    # Fractions are less than 1 and of one or two digits; a number has at most five decimals of nine
    # digits, and 15 digits before them.
    informal.number: [
        "9" * 5000, "1,500", "6, 7", "1/3", "1/0", "1.2.3", "1e3", "half", "3 points", "5²",
        "- 1/2", "1/100", "0/5", "5/5", "/5", "5/", "5,", "1/64", "1.000001", "1.5000000000",
        "9" * 16, "9" * 16 + ".5", "9" * 16 + " 1/2", "5.5..", "1,500.", "6. 5", "6 ,5", "null",
        "7 (x)",
    ],
    informal.komi: ["None", "-", "null", "reverse komi -5.5", "6.5子", "半子", "6, 7", "5 days"],
    informal.handicap: ["2 or 3", "-2", "None", "3 games", "2.5"],
    informal.seconds: [
        "1:75:00", "1:30", "1 hour 1 hour", "1800,0,30,5", "-", "-1 s", "-0.5 s", "1/64 s",
        ":30:00", ", 5 min", "2 h 30", "2h30 5 min", "1 h 30 s 5 min", "1.59 h", "1.50 min",
        "unlimited", "1.30h", "9:59", "10000:00", "long", "2m30", "5 min 30", "5 min 3x",
    ],
    informal.rank: [
        "5k!", "1d??", "dan", "100 k", "12.2k", "NR", "0k", "P12", "1362*", "pro", "5", "-", "?",
    ],
    informal.color: ["x", "", "white/black"],
    informal.number_with_text: ["5 min", "30秒", "1 a2", "1_a", "x1", "1 a b", ""],
    informal.time_limit: ["long", "30 min byo-yomi"],
}  # fmt: skip

#: What a value that a reader gives is in the grammar.
FORMS: dict[Reader, str] = {
    informal.dates: "date",
    informal.result: "result",
    informal.number: "real",
    informal.number_with_text: "real",
    informal.komi: "komi",
    informal.handicap: "number",
    informal.seconds: "seconds",
    informal.rank: "rank",
    informal.color: "color",
}


def rows(table: Meanings, *, complete: bool) -> Iterator[tuple[Reader, str, str, bool]]:
    for reader, meanings in table.items():
        for value, texts in meanings.items():
            yield from ((reader, text, value, complete) for text in texts)


@for_each(
    [*rows(WHOLE, complete=True), *rows(PART, complete=False)],
    by=lambda reader, *_: reader.__name__,
)
def test_meaning(reader: Reader, text: str, value: str, complete: bool) -> None:
    found = reader(text)
    assert found is not None and (found.value, found.complete) == (value, complete)
    assert value_grammar.pattern(FORMS[reader]).fullmatch(value.encode())


def test_long_texts_are_no_values() -> None:
    """They would take time, and calls in calls, without a bound."""
    for text in ("W+" * 100_000, "9" * 100_000, "B+" + "1" * 100_000, "1/" * 100_000):
        assert [reader(text) for reader in FORMS] == [None] * len(FORMS)
    for reader in FORMS:
        reader("W+" * 149)


@for_each((reader, text) for reader, texts in NOTHING.items() for text in texts)
def test_what_is_not_understood(reader: Callable[[str], object], text: str) -> None:
    assert reader(text) is None


#: A word, a text, and whether it has the word: the last letter says whether others may be around.
WHOLE_WORDS = [
    ("dan", "2 dan", True),
    ("dan", "2 dans", False),
    ("dan", "2dan.", True),
    ("段", "x段x", True),
    ("d段", "ad段x", True),
    ("段d", "段dx", False),
    ("段d", "段d位", True),
    ("+", "b+r", True),
]


def test_words_are_whole_words() -> None:
    for word, text, found in WHOLE_WORDS:
        assert (re.search(any_of([word]), text) is not None) == found, (word, text)
        assert (leading_word(text[text.index(word) :], [word]) == word) == found, (word, text)


def test_words_match_no_empty_text() -> None:
    for words in (["目"], ["point"], ["目", "point", "+"]):
        assert re.fullmatch(any_of(words), "") is None


#: Times with what is after them, which is the overtime.
LIMITS = {
    "absolute 20m": ("1200", ""),
    "保留时间2小时": ("7200", ""),
    "1:00:00(5x1:00)": ("3600", "5x1:00"),
    "1 hour + 30 s Byo-Yomi": ("3600", "30 s Byo-Yomi"),
    "1時間（30秒読み）": ("3600", "30秒読み"),
    "2 hours": ("7200", ""),
    "je 2 Stunden": ("7200", ""),
    "各3小时": ("10800", ""),
    "持ち時間各3時間": ("10800", ""),
    "3 hours, 5 x 60 seconds byo-yomi": ("10800", "5 x 60 seconds byo-yomi"),
    "90 seconds": ("90", ""),
    "1 hour 30 min": ("5400", ""),
    "90 min + 5x30s": ("5400", "5x30s"),
    "90 min, 5 x 30": ("5400", "5 x 30"),
    "2小时45分,5次60秒读秒": ("9900", "5次60秒读秒"),
    "1 hour; 3x60 sec.": ("3600", "3x60 sec."),
}
#: Those that leave open which part is which.
NO_LIMITS = [
    "1 hr/125 moves", "30 min, then 5 x 30", "30 min byo-yomi", "1 hour, 30 min byo-yomi",
    "10 min 30 s", "30:00(5x1:00)", "long", "1:00:00(5x1:0)", "1 hour (2 players)",
    "1 hour + byo-yomi", "1時間（３０秒読み）", "1 hour (30 s groß byo-yomi)", "20 min + 5/25",
    "10 min 3x30s",
]  # fmt: skip


@for_each([*LIMITS.items(), *((text, None) for text in NO_LIMITS)])
def test_overtime_is_recognized(text: str, expected: tuple[str, str] | None) -> None:
    found = informal.time_limit(text)
    complete = (found[0].value, found[1]) if found and found[0].complete else None
    assert complete == expected


@given(
    st.text(max_size=40) | st.from_regex(r"[0-9A-Za-z+./:,年月日黑白胜 -]{0,20}", fullmatch=True)
)
def test_any_text_is_taken(text: str) -> None:
    for reader, form in FORMS.items():
        found = reader(text)
        if found is not None:
            assert value_grammar.pattern(form).fullmatch(found.value.encode())
