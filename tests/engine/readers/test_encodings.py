"""Encodings: found out where the bytes tell, said to be uncertain where they do not."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest

from clcd_gui.document.doubts import Doubt, doubts_of
from engine.errors import InvalidParameter, UnreadableFile
from engine.readers import Reading, ReadingOptions, read_preview, read_table
from engine.readers.reading import with_guesses

_TEXT = "größe;straße;n\nüber;Ä-Weg;1\nunter;Öse;2\nüber;ß;3\n"


def _read(folder: Path, raw: bytes, encoding: str | None = None) -> Reading:
    path = folder / "t.csv"
    path.write_bytes(raw)
    return read_table(path, options=ReadingOptions(encoding=encoding))


@pytest.mark.parametrize(
    ("raw", "name", "certain"),
    [
        (_TEXT.encode(), "utf-8", True),
        (_TEXT.encode("utf-8-sig"), "utf-8", True),
        (codecs.BOM_UTF16_LE + _TEXT.encode("utf-16-le"), "utf-16-le", True),
        (codecs.BOM_UTF16_BE + _TEXT.encode("utf-16-be"), "utf-16-be", True),
        (codecs.BOM_UTF32_LE + _TEXT.encode("utf-32-le"), "utf-32-le", True),
        (_TEXT.encode("utf-16-le"), "utf-16-le", True),
        (_TEXT.encode("utf-16-be"), "utf-16-be", True),
        (_TEXT.encode("cp1252"), "cp1252", False),
        (_TEXT.encode("cp1252") + b"x\x81;y;4\n", "iso-8859-1", False),
    ],
)
def test_western_text(tmp_path: Path, raw: bytes, name: str, certain: bool) -> None:
    reading = _read(tmp_path, raw)
    guess = reading.guess("encoding")
    assert guess is not None and (guess.value, guess.certain) == (name, certain)
    assert reading.dataset.names == ("größe", "straße", "n")
    assert "über" in reading.dataset.variable("größe").levels


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("имя;возраст;город\nАнна;34;Москва\nИван;50;Санкт-Петербург\nОльга;23;Новосибирск\n", "cp1251"),
        ("όνομα;ηλικία\nΓιώργος;34\nΜαρία;50\n", "cp1253"),
        ("名前,年齢,都市\n田中,34,東京\n鈴木,50,大阪府堺市\n佐藤花子,23,横浜\n", "shift_jis"),
        ("姓名,年龄,城市\n王伟,34,北京\n李娜,50,上海\n张伟,23,广州\n", "gb18030"),
        ("이름,나이,도시\n김철수,34,서울\n이영희,50,부산\n", "euc-kr"),
    ],
)
def test_other_scripts(tmp_path: Path, text: str, encoding: str) -> None:
    reading = _read(tmp_path, text.encode(encoding))
    guess = reading.guess("encoding")
    assert guess is not None and (guess.value, guess.certain) == (encoding, False)
    assert reading.dataset.names[0] == text.replace(";", ",").split(",")[0]


_WORDS = {
    "shift_jis": ("既往歴", "体重", "飲酒", "うつ", "転帰", "コレステロール", "検査日", "はい", "時々"),
    "cp932": ("㈱施設", "髙血圧", "①群", "体重", "身長Ⅱ", "喫煙"),
    "gb18030": ("吸烟", "抑郁", "身高", "收缩压", "病史", "住院", "省份", "有时"),
    "big5": ("年齡", "血壓", "憂鬱", "體重", "吸菸", "膽固醇", "縣市", "備註"),
    "euc-kr": ("나이", "혈압", "우울", "콜레스테롤", "흡연", "병력", "가끔", "서울"),
    "cp949": ("나이", "혈압", "똠방", "콜레스테롤", "흡연", "병력", "뷁", "서울"),
}


# Small tables of wards and surveys: a header, and two or three words that repeat.
_SMALL = (
    ("płeć;ból;grupa\nmężczyzna;tak;łagodny\nkobieta;nie;ciężki\n", "cp1250"),
    ("věk;bolest;oddělení\nmuž;ano;příjem\nžena;ne;dětské\n", "cp1250"),
    ("kor;láz;osztály\nnő;erős;sebészet\nférfi;gyengébb;fül\n", "cp1250"),
    ("yaş;ağrı;bölüm\nkadın;şiddetli;göğüs\nerkek;değil;çocuk\n", "cp1254"),
    ("возраст;боль;отделение\nда;сильная;хирургия\nнет;слабая;терапия\n", "koi8-r"),
    ("возраст;боль;отделение\nда;сильная;хирургия\nнет;слабая;терапия\n", "cp1251"),
    ("возраст;боль;отделение\nда;сильная;хирургия\nнет;слабая;терапия\n", "cp866"),
    ("גיל;כאב;מחלקה\nכן;חזק;כירורגיה\nלא;קל;ילדים\n", "cp1255"),
    ("العمر;الألم;القسم\nنعم;شديد;الجراحة\nلا;خفيف;الأطفال\n", "cp1256"),
    ("나이;통증;병동\n예;심함;외과\n아니오;약함;내과\n", "euc-kr"),
)


@pytest.mark.parametrize(("text", "encoding"), _SMALL)
def test_a_small_table_is_read_or_one_click_away(text: str, encoding: str, tmp_path: Path) -> None:
    reading = _read(tmp_path, text.encode(encoding))
    guess = reading.guess("encoding")
    assert guess is not None and not guess.certain
    offered = {change.value: change.title for doubt in _cards(reading) for change in doubt.changes}
    assert encoding == guess.value or encoding in offered
    if encoding != guess.value:
        words = offered[encoding].partition(": ")[2].split(", ")
        assert words and all(word in text for word in words)
    for other_encoding in offered:
        _read(tmp_path, text.encode(encoding), other_encoding)


@pytest.mark.parametrize(
    ("text", "encoding"), [case for case in _SMALL if case[1] in ("cp1250", "cp1254", "koi8-r")]
)
def test_letters_of_one_language_tell_its_encoding(text: str, encoding: str, tmp_path: Path) -> None:
    guess = _read(tmp_path, text.encode(encoding)).guess("encoding")
    assert guess is not None and guess.value == encoding


@pytest.mark.parametrize(
    "text",
    [
        "Größe;Schmerz\nmäßig;über 3 °C\nfrüh;5 µg/m²\n",
        "âge;douleur\nmodérée;hôpital\nsévère;français\n",
        "año;dolor\nniño;corazón\nseñora;según\n",
        "dor;região\nnão;coração\nmédia;avó\n",
        "età;dolore\nsì;perché\npiù;città\n",
        "ålder;smärta\nmån;höft\n",
        "cost_£k;n°\na;b\nc;d\n",
        "þyngd;sjúkdómur\nlítið;mæði\n",
    ],
)
def test_western_words_stay_western(text: str, tmp_path: Path) -> None:
    guess = _read(tmp_path, text.encode("cp1252")).guess("encoding")
    assert guess is not None and guess.value == "cp1252"


def _cards(reading: Reading) -> list[Doubt]:
    return [doubt for doubt in doubts_of(reading, ReadingOptions()) if doubt.option == "encoding"]


def test_few_words_in_a_header_tell_east_asian_encodings_apart(tmp_path: Path) -> None:
    wrong = []
    for seed in range(54):
        encoding = list(_WORDS)[seed % 6]
        words = _WORDS[encoding]
        names = [words[(seed // 6 + place) % len(words)] for place in range(2 + seed % 4)]
        rows = [",".join(str((row * 7 + place) % 50) for place in range(len(names))) for row in range(20)]
        reading = _read(tmp_path, "\n".join([",".join(names), *rows]).encode(encoding))
        guess = reading.guess("encoding")
        assert guess is not None and not guess.certain
        if list(reading.dataset.names) != names:
            wrong.append((seed, encoding, names, guess.value))
    assert len(wrong) <= 2, wrong


def test_a_guessed_encoding_that_cannot_read_all_is_said_to_be_a_guess(tmp_path: Path) -> None:
    # Behind what is looked at to guess.
    raw = ("姓名,年龄,城市\n" + "王伟,34,广州\n" * 9000).encode("gb18030") + b"\xff\xff,1\n"
    with pytest.raises(UnreadableFile, match=r"it seems to be in .*, but a character on line 9002 is not"):
        _read(tmp_path, raw)


@pytest.mark.parametrize(
    ("words", "encoding"),
    [
        (("жен", "муж"), "cp1251"),
        (("грипп", "ангина", "бронхит"), "cp1251"),
        (("γρίπη", "πνευμονία"), "cp1253"),
        (("größer", "Öl", "über"), "cp1252"),
        (("été", "où", "à", "œuf"), "cp1252"),
        (("Åö", "ål", "Örebro", "ö"), "cp1252"),
    ],
)
def test_few_words_of_other_letters_among_latin_ones(
    tmp_path: Path, words: tuple[str, ...], encoding: str
) -> None:
    rows = [f"patient-{row},{words[row % len(words)]},paracetamol or placebo" for row in range(30)]
    reading = _read(tmp_path, "\n".join(["patient,said,treatment", *rows]).encode(encoding))
    guess = reading.guess("encoding")
    assert guess is not None and (guess.value, guess.certain) == (encoding, False)
    assert reading.dataset.variable("said").levels == tuple(sorted(words))


@pytest.mark.parametrize("word", ["t (°C)", "Preis €", "señal", "naïve"])
def test_a_single_foreign_character_is_western(tmp_path: Path, word: str) -> None:
    assert _read(tmp_path, f"{word},b\n1,2\n3,4\n5,6\n".encode("cp1252")).dataset.names == (word, "b")


@pytest.mark.parametrize(
    "cell", ["{} €", "€{}", "{}\u00a0€", "£{}", "{} ± 2", "{}–90", "1\u00a00{}", "§ {}", "“{}”", "{} m²"]
)
@pytest.mark.parametrize("name", ["cost", "Größe"])
def test_signs_beside_many_numbers_are_western(cell: str, name: str, tmp_path: Path) -> None:
    lines = [f"{cell.format(10 + row)};{row % 2}\n" for row in range(60)]
    path = tmp_path / "signs.csv"
    path.write_bytes("".join([f"{name};ill\n", *lines]).encode("cp1252"))
    guess = read_preview(path).guess("encoding")
    assert guess is not None and (guess.value, guess.certain) == ("cp1252", False)


def test_encoding_can_be_given(tmp_path: Path) -> None:
    reading = _read(tmp_path, "imię;wiek\nŁukasz;34\nŻaneta;50\nJan;3\n".encode("cp1250"), "windows-1250")
    assert reading.dataset.names == ("imię", "wiek")
    assert reading.guess("encoding") is None


def test_wrong_encoding_is_named_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile) as caught:
        _read(tmp_path, b"a,b\n1,2\n\xfcber,3\n", "utf-8")
    assert "a character on line 3 cannot be read as utf-8" in str(caught.value)
    assert "cp1252" in caught.value.remedy


def test_truncated_wide_text(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="cannot be read as utf-16-le"):
        _read(tmp_path, (codecs.BOM_UTF16_LE + _TEXT.encode("utf-16-le"))[:-1])


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le"])
def test_preview_of_wide_text_is_cut_between_characters(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "t.csv"
    rows = "".join(f"{row};wörd{row % 5};{row / 4}\n" for row in range(150_000))
    path.write_bytes(("\ufeffa;b;c\n" + rows).encode(encoding))
    preview = read_preview(path, rows=50)
    assert preview.dataset.row_count == 50
    assert not preview.complete
    assert preview.dataset.column("a").tolist() == [float(row) for row in range(50)]


def test_arff_in_an_old_encoding(tmp_path: Path) -> None:
    path = tmp_path / "t.arff"
    path.write_bytes("@relation r\n@attribute größe {klein,groß}\n@data\ngroß\nklein\n".encode("cp1252"))
    assert read_table(path).dataset.variable("größe").levels == ("klein", "groß")


def test_a_label_that_is_not_there_in_a_guessed_encoding_names_the_guess(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes("wiek;ciśnienie;bezsenność\n52;161;1\n40;120;0\n".encode("cp1250"))
    with pytest.raises(InvalidParameter, match="as cp1252 is a guess") as error:
        read_table(path, ["bezsenność"])
    assert "Did you mean" in str(error.value)
    with pytest.raises(InvalidParameter, match="is not a column") as error:
        read_table(path, ["bezsenny"], options=ReadingOptions(encoding="cp1250"))
    assert "guess" not in str(error.value)


def test_where_characters_stand_that_text_does_not_have(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="line 3 holds characters that text does not have"):
        _read(tmp_path, b"a,b\n1,2\n3,\x004\n5,6\n")


def test_a_note_on_a_guess_says_what_was_decided(tmp_path: Path) -> None:
    reading = _read(tmp_path, "年齢,血圧\n34,120\n50,131\n".encode("shift_jis"))
    (note,) = (note for note in with_guesses(reading).notes if note.topic == "guess")
    assert note.message.startswith("The encoding was guessed as shift_jis.")
