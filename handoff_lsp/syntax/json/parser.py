"""The tolerant JSON parser: one pass over a text that builds a tree and collects its defects.

Patterns read valid JSON whole members at a time. Where none matches, a careful step looks at the next token, records
its defect, and continues as if it were repaired. Both take linear time; neither recurses.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

from handoff_lsp.language import say
from handoff_lsp.syntax.json import scan
from handoff_lsp.syntax.json.plain_list import plain_list
from handoff_lsp.syntax.json.tree import JsonDefect, JsonKind, JsonMember, JsonNode
from handoff_lsp.text import Edit, Span

_LITERAL_KINDS: dict[str, tuple[JsonKind, bool | None]] = {
    "true": ("boolean", True),
    "false": ("boolean", False),
    "null": ("null", None),
}
_CLOSER = {"object": "}", "array": "]"}


class _Need(IntEnum):
    """The kind of token expected next."""

    KEY = 0
    COLON = 1
    VALUE = 2
    COMMA = 3
    END = 4


_KEY, _COLON, _VALUE, _COMMA, _END = _Need


class JsonParser:
    """One run over a text. It leaves ``root`` and ``defects``.

    The stack of open containers is ``box`` with its parents.
    """

    def __init__(self, text: str, start: int, end: int) -> None:
        self.text = text
        self.start = start
        self.end = end
        self.pos: int = start
        self.root: JsonNode | None = None
        self.defects: list[JsonDefect] = []
        self.reported: int = 0  # those that were joined to others among them
        self.box: JsonNode | None = None
        self.need: _Need = _VALUE
        self.opened: dict[str, int] = {"object": 0, "array": 0}
        # The end of the last token; nothing may be inserted there while it is a string without its closing quote.
        self.last: int = start
        self.loose: bool = False
        # The separator after the last value, -1 for none, and those beyond it.
        self.comma: int = -1
        self.comma_loose: bool = False  # that separator may belong to an open string before it
        self.extras: list[int] = []
        # The latest run of tokens that fit nowhere, to be reported as one.
        self.stray: JsonDefect | None = None
        # The start of a text with wrong quotes, or of a later line in it (-1: none); and the end of the search so far.
        self.doubt: int = -1
        self.doubted: int = -1
        # No text with quotes in it has a clear end before this offset.
        self.no_text_end: int = -1
        self.no_comment_end: bool = False

    def run(self) -> None:
        """Read everything."""
        while True:
            if self.box is not None and not self.extras:
                self._quick()
            if not self._step():
                break
            if self.reported > scan.MAX_DEFECTS:
                message = say("Too much of this is not JSON. From here on nothing was looked at")
                self._report("unexpected", self.pos, self.end, message)
                self.pos, self.loose = self.end, True  # nothing may be inserted where reading ended
                break
        self._finish()

    # Proper JSON

    def _quick(self) -> None:
        """Read whole members and items as long as nothing is wrong with them."""
        text, end = self.text, self.end
        pos, box, need, comma = self.pos, self.box, self.need, self.comma
        if comma >= 0 and text[comma] != ",":
            return
        opened = self.opened
        quick_member, quick_item, quick_mark = scan.QUICK_MEMBER.match, scan.QUICK_ITEM.match, scan.QUICK_MARK.match
        decode, literals, new_node, new_member = scan.decode, _LITERAL_KINDS, JsonNode, JsonMember
        while box is not None:
            if need is _COMMA:
                match = quick_mark(text, pos, end)
                if match is None:
                    break
                mark = match[1]
                if mark == ",":
                    pos = match.end()
                    comma = pos - 1
                    need = _KEY if box.kind == "object" else _VALUE
                    continue
                if mark != _CLOSER[box.kind]:
                    break
                pos = match.end()
            elif need is _KEY or (need is _VALUE and box.kind == "array"):
                if need is _KEY:
                    match = quick_member(text, pos, end)
                    if match is None:
                        break
                    name, string, number, literal, mark, bracket = match.groups()
                    at = match.start(1)
                    colon = at + len(name) + 1
                    key = new_node("string", at - 1, colon, decode(name) if "\\" in name else name, box)
                    if text[colon] != ":":
                        colon = text.index(":", colon)
                    group = 2
                else:
                    match = quick_item(text, pos, end)
                    if match is None:
                        break
                    string, number, literal, mark, bracket = match.groups()
                    key = None
                    colon = 0
                    group = 1
                pos = match.end()
                if string is not None:
                    at = match.start(group)
                    value = decode(string) if "\\" in string else string
                    node = new_node("string", at - 1, at + len(string) + 1, value, box)
                elif bracket is not None:
                    node = new_node("object" if bracket == "{" else "array", pos - 1, end, None, box, False)
                elif number is not None:
                    at = match.start(group + 1)
                    amount = int(number) if number.isdecimal() else _number(number)
                    node = new_node("number", at, at + len(number), amount, box)
                else:
                    at = match.start(group + 2)
                    kind, constant = literals[literal]
                    node = new_node(kind, at, at + len(literal), constant, box)
                if key is not None:
                    box.members.append(new_member(key, node, colon))
                else:
                    box.items.append(node)
                if bracket == "[" and (plain := plain_list(text, pos, end)) is not None:
                    comma, pos, texts = plain
                    node.close_plain(text, pos, texts)
                    need = _COMMA
                    continue
                if bracket is not None:
                    opened[node.kind] += 1
                    node.members = []
                    node.items = []
                    box = node
                    comma = -1
                    need = _KEY if bracket == "{" else _VALUE
                    continue
                if mark == ",":
                    comma = pos - 1
                    continue
            else:
                break
            # The pattern consumed the bracket that closes the container.
            box.end = pos
            box.closed = True
            opened[box.kind] -= 1
            box = box.parent
            need = _COMMA
        if pos != self.pos:
            self.pos = self.last = pos
            self.loose = self.comma_loose = False
        self.box, self.comma = box, comma
        self.need = need if box is not None else _END

    # Everything else

    def _step(self) -> bool:
        """Handle the next token in the careful step; False at the end."""
        self._skip()
        if self.pos >= self.end:
            return False
        char = self.text[self.pos]
        box = self.box
        if self.need is _END:
            return self._after_root(char)
        if box is None:
            self._before_root(char)
        elif char in "}]":
            self._closer(box, char)
        elif char in scan.COMMAS:
            self._separator(char)
        elif box.kind == "array":
            self._in_array(char)
        elif self.need is _KEY:
            self._at_key(box, char)
        elif self.need is _COLON:
            self._at_colon(box.members[-1], char)
        elif self.need is _VALUE:
            self._at_value(box.members[-1], char)
        else:
            self._at_comma(box, char)
        return True

    def _report(
        self,
        kind: str,
        start: int,
        end: int,
        message: str,
        edits: Iterable[Edit] = (),
        *,
        safe: bool = False,
        fatal: bool = True,
    ) -> None:
        edits = tuple(edits)
        self.reported += 1
        safe = safe and bool(edits) and not self._in_doubt(start)
        self.defects.append(JsonDefect(kind, Span(start, end), message, edits, safe, fatal))

    def _in_doubt(self, at: int) -> bool:
        """Whether an offset may be inside a text with wrong quotes. It ends where a line begins with a sound member."""
        if self.doubt < 0:
            return False
        line = self.text.rfind("\n", self.doubted, at) + 1
        sound = scan.MEMBER_LINE.search if line else scan.MEMBER_LINE.match
        if sound(self.text, self.doubt, at):
            self.doubt = -1
            return False
        self.doubt = line or self.doubt
        self.doubted = at
        return True

    def _doubt(self) -> None:
        """Begin a text with wrong quotes at the last defect: its words may look like JSON."""
        if self.doubt < 0:
            self.doubt = self.doubted = self.defects[-1].span.start

    def _took(self, end: int, loose: bool = False) -> None:
        self.pos = self.last = end
        self.loose = loose

    def _insert(self, at: int, text: str) -> tuple[Edit, ...]:
        # After an open string the insertion would become part of it: the quote has to come first.
        return () if self.loose else (Edit(Span(at, at), text),)

    # Between tokens

    def _skip(self) -> None:
        """Go to the next token, reporting comments and blanks that JSON does not allow."""
        text, end = self.text, self.end
        while True:
            self.pos = pos = scan.SPACE.match(text, self.pos, end).end()  # type: ignore[union-attr]
            if pos >= end:
                return
            if text[pos] == "#" or (text[pos] == "/" and pos + 1 < end and text[pos + 1] in "/*"):
                self._comment(pos)
            elif text[pos] in "<=>|" and (match := scan.CONFLICT.match(text, pos, end)):
                self._report("unexpected", pos, match.end(), say("Conflict marker of git"))
                self.doubt = self.doubted = pos
                self.pos = match.end()
            elif match := scan.ODD.match(text, pos, end):
                self.pos = match.end()
                code = ord(text[pos])
                name = say("Byte order mark") if code == 0xFEFF else say("Character U+{code:04X}", code=code)
                edit = Edit(Span(pos, self.pos), self._joint(pos, self.pos))
                self._report("unexpected", pos, self.pos, say("{name} outside a string", name=name), [edit], safe=True)
            else:
                return

    def _joint(self, start: int, end: int) -> str:
        """The replacement for a removed span: a space where its neighbors would join into one token, else nothing."""
        if start <= self.start or end >= self.end:
            return ""
        neighbours = self.text[start - 1] + self.text[end]
        return "" if any(char in " \t\n\r,;{}[]" or scan.ODD.match(char) for char in neighbours) else " "

    def _comment(self, pos: int) -> None:
        text, end = self.text, self.end
        stop = -1
        block = text.startswith("/*", pos)
        if block and not self.no_comment_end:
            stop = text.find("*/", pos + 2, end) + 2
            self.no_comment_end = stop == 1
        open_ended = block and self.no_comment_end
        if not block or open_ended:
            stop = scan.REST_OF_LINE.match(text, pos, end).end()  # type: ignore[union-attr]
        first = pos
        while first > self.start and text[first - 1] in " \t":
            first -= 1
        rest = scan.BLANK_REST.match(text, stop, end)
        if rest is not None and (first == 0 or text[first - 1] in "\n\r"):
            edit = Edit(Span(first, rest.end()), "")
        else:
            edit = Edit(Span(first, stop), self._joint(first, stop))
        message = say("Comment that is never closed") if open_ended else say("Comment, which JSON does not have")
        in_text = not block and pos == self.last and text[pos - 1] in scan.QUOTES  # as in `"see "#1" first"`
        self._report("comment", pos, stop, message, [edit], safe=not open_ended and not in_text)
        if in_text:
            self._doubt()
        self.pos = stop

    # Outside the root

    def _before_root(self, char: str) -> None:
        if char in "{[":
            self._open(char)
        elif char in "}],;:=":
            self._junk(say("`{char}` in place of a value", char=char))
        else:
            self._attach(self._scan_value())

    def _after_root(self, char: str) -> bool:
        text, pos, end = self.text, self.pos, self.end
        if char in "}]":
            self._junk(say("`{char}` that closes nothing", char=char))
            return True
        if char in scan.COMMAS and scan.ONLY_SPACE_LEFT.match(text, pos + 1, end):
            kind = "trailing-comma" if char == "," else "semicolon"
            edit = Edit(Span(pos, pos + 1), "")
            self._report(kind, pos, pos + 1, say("`{char}` after the value", char=char), [edit], safe=True)
            self._took(pos + 1)
            return True
        stop = scan.REST_OF_LINE.match(text, pos, end).end()  # type: ignore[union-attr]
        stop = pos + len(text[pos:stop].rstrip())
        self._report("extra-text", pos, max(stop, pos + 1), say("Text after the end of the JSON value"))
        self.pos = end
        return False

    def _finish(self) -> None:
        """Close the open containers at the end of the text."""
        box = self.box
        if self.root is None:
            self._report("empty", self.start, self.start, say("No JSON value"))
        if box is not None:
            self._settle()
            whole = self.need is _COMMA
            if not whole:
                self._trailing(say("the end"), safe=False)
            names: list[str] = []
            innermost = box
            while self.box is not None:
                names.append(_CLOSER[self.box.kind])
                self._pop(self.end, closed=False)
            message = say(
                "`{char}` is never closed: {brackets} missing at the end",
                char=self.text[innermost.start],
                brackets=_missing(names),
            )
            edits = self._insert(self.last, "".join(names))
            # Text that ends in a list or after a comma was probably cut off.
            safe = whole and "]" not in names
            self._report("missing-bracket", innermost.start, innermost.start + 1, message, edits, safe=safe)
        self.defects.sort(key=lambda defect: defect.span.start)

    # Separators and brackets

    def _separator(self, char: str) -> None:
        self._settle()
        pos = self.pos
        if self.need is _COMMA:
            self.comma = pos
            self.comma_loose = self.loose
            self.need = _KEY if self.box is not None and self.box.kind == "object" else _VALUE
        else:
            self.extras.append(pos)
        self._took(pos + 1)

    def _settle(self) -> None:
        """Report a member that ends before its value."""
        if self.box is None or self.box.kind != "object":
            return
        if self.need is _COLON:
            key = self.box.members[-1].key
            # Without its closing quote the key may well hold the colon.
            if key.closed:
                self._report("missing-colon", key.end - 1, key.end, say("Key without `:` and a value"))
                self._doubt()
            self.need = _COMMA
        elif self.need is _VALUE:
            colon = self.box.members[-1].colon
            at = self.last - 1 if colon is None else colon
            self._report("missing-value", at, at + 1, say("Missing value after `:`"))
            self.need = _COMMA

    def _commit(self) -> None:
        """Another value follows, so of the separators before it the first was right and the others are too many."""
        if self.comma >= 0 and (char := self.text[self.comma]) != ",":
            edit = Edit(Span(self.comma, self.comma + 1), ",")
            message = say("`{char}` where JSON wants `,`", char=char)
            self._report("semicolon", self.comma, self.comma + 1, message, [edit], safe=True)
        # In an array the author may have left out an item.
        safe = self.box is not None and self.box.kind == "object"
        for at in self.extras:
            edit = Edit(Span(at, at + 1), self._joint(at, at + 1))
            message = say("`{char}` with nothing before it", char=self.text[at])
            self._report("unexpected", at, at + 1, message, [edit], safe=safe)
        self.comma = -1
        self.extras = []

    def _trailing(self, before: str, *, safe: bool = True) -> None:
        """No value follows, so every separator is too many."""
        for at in [self.comma, *self.extras] if self.comma >= 0 else self.extras:
            edits = () if at == self.comma and self.comma_loose else (Edit(Span(at, at + 1), self._joint(at, at + 1)),)
            if self.text[at] == ",":
                self._report(
                    "trailing-comma", at, at + 1, say("Trailing comma before {before}", before=before), edits, safe=safe
                )
            else:
                message = say("`{char}` before {before}", char=self.text[at], before=before)
                self._report("semicolon", at, at + 1, message, edits, safe=safe)
        self.comma = -1
        self.extras = []

    def _open(self, char: str) -> None:
        kind: JsonKind = "object" if char == "{" else "array"
        node = JsonNode(kind, self.pos, self.end, None, self.box, closed=False)
        node.members = []
        node.items = []
        self._attach(node)
        self.opened[kind] += 1
        self.box = node
        self.need = _KEY if kind == "object" else _VALUE
        self.comma = -1
        self._took(self.pos + 1)

    def _attach(self, node: JsonNode) -> None:
        box = self.box
        if box is None:
            self.root = node
            self.need = _END
        else:
            if box.kind == "array":
                self._commit()
                box.items.append(node)
            else:
                box.members[-1].value = node
            self.need = _COMMA
        if node.kind != "object" and node.kind != "array":
            self._took(node.end, loose=not node.closed)

    def _pop(self, end: int, closed: bool) -> None:
        box = self.box
        assert box is not None
        box.end = end
        box.closed = closed
        self.opened[box.kind] -= 1
        self.box = box.parent
        self.need = _COMMA if self.box is not None else _END
        self.comma = -1
        self.extras = []

    def _closer(self, box: JsonNode, char: str) -> None:
        text, pos, end = self.text, self.pos, self.end
        kind = "object" if char == "}" else "array"
        if box.kind != kind:
            count = self.opened[kind]
            at_root = self.root is not None and self.root.kind == kind and count == 1
            if count and not (at_root and scan.COMMA_AHEAD.match(text, pos + 1, end)):
                self._close_to(kind)
                return
            last_root = box.parent is None and not scan.ONLY_SPACE_LEFT.match(text, pos + 1, end)
            if not count and (last_root or text[self.last - 1] == char):
                # More of the container follows, or the same bracket was just there: it is one too many.
                self._junk(say("`{char}` that closes nothing", char=char))
                return
            right = _CLOSER[box.kind]
            self._settle()
            if self.need is not _COMMA:
                self._trailing(f"`{char}`")
            edit = Edit(Span(pos, pos + 1), right)
            self._report(
                "missing-bracket",
                pos,
                pos + 1,
                say("`{char}` where `{right}` should close", char=char, right=right),
                [edit],
            )
        else:
            self._settle()
            if self.need is not _COMMA:
                self._trailing(f"`{char}`")
        self._pop(pos + 1, closed=True)
        self._took(pos + 1)

    def _close_to(self, kind: str) -> None:
        """Close the containers still open inside the one that the bracket closes; the bracket is not consumed."""
        pos = self.pos
        self._settle()
        if self.need is not _COMMA:
            self._trailing(f"`{self.text[pos]}`")
        names: list[str] = []
        while self.box is not None and self.box.kind != kind:
            names.append(_CLOSER[self.box.kind])
            self._pop(pos, closed=False)
        message = say("{brackets} missing before `{char}`", brackets=_missing(names), char=self.text[pos])
        self._report("missing-bracket", pos, pos + 1, message, self._insert(self.last, "".join(names)))

    def _close_arrays(self, key_end: int) -> None:
        """Handle a key in an array inside an object: the array should have been closed before it."""
        pos = self.pos
        # A comma that is already there keeps separating the members.
        if self.need is _COMMA:
            self.comma = -1
        elif self.comma < 0 and self.extras:
            self.comma = self.extras.pop(0)
        comma, extras = self.comma, self.extras
        at = self.last if comma < 0 else comma
        names: list[str] = []
        while self.box is not None and self.box.kind == "array":
            names.append("]")
            self._pop(at, closed=False)
        self.comma, self.extras = comma, extras
        self.comma_loose = False
        edits = self._insert(at, "".join(names) + ("," if comma < 0 else ""))
        self._report(
            "missing-bracket", pos, key_end, say("{brackets} missing before this key", brackets=_missing(names)), edits
        )
        self.need = _KEY

    # Inside containers

    def _in_array(self, char: str) -> None:
        text, pos, end = self.text, self.pos, self.end
        if char == ":" and self.need is _COMMA:
            edit = Edit(Span(pos, pos + 1), ",")
            self._report("unexpected", pos, pos + 1, say("`:` in an array"), [edit])
            self.need = _VALUE
            self.comma = -1
            self._took(pos + 1)
        elif self._read_on():
            pass
        elif char in ":=":
            self._junk(say("`{char}` in an array", char=char))
        elif char in scan.QUOTES and self.opened["object"] and (stop := scan.key_end(text, pos, end)) > 0:
            self._close_arrays(stop)
        else:
            if self.need is _COMMA:
                self._missing_comma(say("items"), safe=not self._cuts_text())
            if char in "{[":
                self._open(char)
            else:
                self._attach(self._scan_value())

    def _missing_comma(self, between: str, *, safe: bool = True) -> None:
        at = self.last
        quotes = at == self.pos and self.text[at - 1] in scan.QUOTES and self.text[at] in scan.QUOTES
        self._report(
            "missing-comma",
            at - 1,
            at,
            say("Missing comma between {between}", between=between),
            self._insert(at, ","),
            safe=safe and not quotes,
        )
        if not safe:
            self._doubt()
        self.comma = -1

    def _cuts_text(self) -> bool:
        """Whether a comma between two items of one line might be in the middle of a text with quotes in it."""
        text, at, pos = self.text, self.last, self.pos
        quotes = (text[at - 1] in scan.QUOTES) + (text[pos] in scan.QUOTES)
        if not quotes or _breaks(text, at, pos):
            return False
        return quotes == 1 or at == pos or text[at - 2] in " \t" or text[pos + 1 : pos + 2] in {" ", "\t"}

    def _read_on(self) -> bool:
        """Read a text with quotes in it to its end, as in `"All "12" are up"`, if that is clear."""
        text, pos, box = self.text, self.pos, self.box
        if self.need is not _COMMA or pos != self.last or pos < self.no_text_end or text[pos] in scan.QUOTES:
            return False
        assert box is not None
        node = box.items[-1] if box.kind == "array" else box.members[-1].value
        if node is None or node.kind != "string" or text[node.start] != '"' or not node.closed:
            return False
        match = scan.TEXT_END.match(text, pos, self.end)
        if match is None:
            self.no_text_end = scan.REST_OF_LINE.match(text, pos, self.end).end()  # type: ignore[union-attr]
            return False
        body, troubles = scan.proper_body(text[pos : match.end() - 1], pos)
        quotes = [pos - 1, *(one.start() for one in scan.BARE_QUOTE.finditer(text, pos, match.end() - 1) if one[1])]
        edits = [Edit(Span(at, at), "\\") for at in quotes]
        message = say("Quotes inside a text need a backslash before them")
        self._report("inner-quotes", pos - 1, quotes[-1] + 1, message, edits)
        self._doubt()
        for trouble in troubles:
            self._trouble(trouble, straight=True)
        node.value = f'{node.value}"{scan.decode(body)}'
        node.end = match.end()
        self._took(node.end)
        return True

    def _at_key(self, box: JsonNode, char: str) -> None:
        if char in "{[:=":
            self._without_key(box, char)
        elif node := self._scan_key():
            self._new_member(box, node)

    def _new_member(self, box: JsonNode, key: JsonNode) -> None:
        self._commit()
        box.members.append(JsonMember(key, None, None))
        self.need = _COLON
        self._took(key.end, loose=not key.closed)

    def _without_key(self, box: JsonNode, char: str) -> None:
        pos = self.pos
        self._commit()
        self._report("unexpected", pos, pos + 1, say("`{char}` in place of a key", char=char))
        member = JsonMember(JsonNode("string", pos, pos, "", box, closed=False), None, None)
        box.members.append(member)
        self.need = _VALUE
        if char in "{[":
            self._open(char)
        else:
            member.colon = pos
            self._took(pos + 1)

    def _at_colon(self, member: JsonMember, char: str) -> None:
        text, pos, end = self.text, self.pos, self.end
        if char == ":":
            member.colon = pos
            self.need = _VALUE
            self._took(pos + 1)
        elif match := scan.COLON_LIKE.match(text, pos, end):
            member.colon = pos
            self.need = _VALUE
            edit = Edit(Span(pos, match.end()), ":")
            message = say("`{char}` where JSON wants `:`", char=match.group())
            self._report("missing-colon", pos, match.end(), message, [edit], safe=True)
            self._took(match.end())
        elif char not in "{[" and scan.key_end(text, pos, end) > 0:
            self._settle()
            self.need = _KEY
            self.comma = -1
        else:
            key = member.key
            if key.closed:
                edits = self._insert(key.end, ":")
                safe = text[key.start] in scan.QUOTES and key.end < pos
                self._report("missing-colon", key.end - 1, key.end, say("Missing `:` after the key"), edits, safe=safe)
                if key.end == pos:  # probably an inner quote
                    self._doubt()
            self.need = _VALUE

    def _at_value(self, member: JsonMember, char: str) -> None:
        text, pos, end = self.text, self.pos, self.end
        colon = member.colon
        if char in "{[":
            self._open(char)
        elif char in ":=":
            self._junk(say("`{char}` in place of a value", char=char), safe=char == ":")
        elif colon is not None and _breaks(text, colon, pos) and scan.key_end(text, pos, end) > 0:
            # The next line is the next member: the value is not typed yet.
            self._settle()
            self.need = _KEY
            self.comma = -1
        else:
            self._attach(self._scan_value())

    def _at_comma(self, box: JsonNode, char: str) -> None:
        text, pos, end = self.text, self.pos, self.end
        if self._read_on():
            return
        if char in "{[":
            self._without_key(box, char)
            return
        if char in ":=":
            self._astray(pos, pos + 1)
            return
        seen = len(self.defects)
        node = self._scan_key()
        if node is None:
            return
        if node.closed and not _breaks(text, self.last, pos) and not scan.COLON_AHEAD.match(text, node.end, end):
            # On the same line and no key: part of a value that was not quoted well.
            del self.defects[seen:]
            self._astray(pos, node.end)
            return
        self._missing_comma(say("members"))
        self._new_member(box, node)

    def _junk(self, message: str, safe: bool = False) -> None:
        """Skip a character that is not allowed anywhere here."""
        pos = self.pos
        edit = Edit(Span(pos, pos + 1), self._joint(pos, pos + 1))
        self._report("unexpected", pos, pos + 1, message, [edit], safe=safe)
        self._took(pos + 1)

    def _astray(self, start: int, end: int) -> None:
        """Pass over tokens that belong to no member; neighbors make one defect."""
        if self.stray is not None and self.defects[-1] is self.stray and self.stray.span.end == self.last:
            start = self.stray.span.start
            self.defects.pop()
        self._report("unexpected", start, end, say("Text after a value, where JSON wants `,` or a bracket"))
        self.stray = self.defects[-1]
        self._doubt()
        self._took(end)

    # Scalars

    def _scan_key(self) -> JsonNode | None:
        """The key at the next token; None if it cannot be one, and then it is skipped."""
        text, pos, end = self.text, self.pos, self.end
        if text[pos] in scan.QUOTES:
            return self._scan_quoted()
        match = scan.DOTS.match(text, pos, end)
        if match:
            self._report("unexpected", pos, match.end(), say("Dots in place of a member"))
            self._took(match.end())
            return None
        match = scan.KEY_WORD.match(text, pos, end)
        stop = match.end() if match else pos
        if stop == pos:
            self._junk(say("`{char}` in place of a key", char=text[pos]))
            return None
        word = text[pos:stop]
        if scan.CLOSING_QUOTE_AHEAD.match(text, stop, end):
            return self._half_quoted(word, stop + 1)
        # A word without a colon may belong to a text, or to `1,000`.
        plain = scan.PLAIN_KEY.fullmatch(word) is not None and scan.COLON_AHEAD.match(text, stop, end) is not None
        edit = Edit(Span(pos, stop), scan.quote(word))
        self._report("unquoted-key", pos, stop, say("Key without double quotes"), [edit], safe=plain)
        return JsonNode("string", pos, stop, word, self.box)

    def _scan_value(self) -> JsonNode:
        """The next token as a scalar of any kind."""
        text, pos, end = self.text, self.pos, self.end
        if text[pos] in scan.QUOTES:
            return self._scan_quoted()
        match = scan.WORD.match(text, pos, end)
        stop = max(match.end() if match else pos, pos + 1)
        word = scan.read_word(text[pos:stop])
        if word is None:
            match = scan.MORE_WORDS.match(text, stop, end)
            stop = match.end() if match else stop
            if scan.CLOSING_QUOTE_AHEAD.match(text, stop, end):
                return self._half_quoted(text[pos:stop], stop + 1)
            word = scan.bare_word(text[pos:stop])
        if word.defect:
            edits = () if word.repair is None else (Edit(Span(pos, stop), word.repair),)
            self._report(word.defect, pos, stop, word.message, edits, safe=word.safe, fatal=word.fatal)
        return JsonNode(word.kind, pos, stop, word.value, self.box)

    def _half_quoted(self, word: str, end: int) -> JsonNode:
        pos = self.pos
        # A backslash in it would turn into an escape.
        edits = () if "\\" in word else (Edit(Span(pos, pos), '"'),)
        self._report("missing-quote", pos, end, say("Missing quote before the text"), edits)
        self._doubt()
        return JsonNode("string", pos, end, word, self.box)

    def _scan_quoted(self) -> JsonNode:
        text, pos, end = self.text, self.pos, self.end
        match = scan.STRING.match(text, pos, end)
        if match:
            return JsonNode("string", pos, match.end(), scan.decode(match[1]), self.box)
        quoted = scan.read_quoted(text, pos, end)
        straight = text[pos] == '"'
        proper = f'"{quoted.body}"'
        if not quoted.closed:
            if straight:
                edits = () if quoted.dangling else (Edit(Span(quoted.end, quoted.end), '"'),)
            else:
                edits = (Edit(Span(pos, quoted.end), proper),)
            self._report("missing-quote", pos, quoted.end, say("Unterminated string"), edits)
            self._doubt()
        elif not straight:
            bad = any(len(trouble.repair) > 1 for trouble in quoted.troubles if trouble.kind == "bad-escape")
            bad |= len(quoted.troubles) > scan.MAX_DEFECTS
            # Two adjacent quotes may be one escaped quote, as in YAML.
            behind = text[quoted.end : min(quoted.end + 1, end)]
            bad |= any(char in scan.QUOTES for char in text[pos - 1 : pos] + behind) or behind.isalnum()
            edit = Edit(Span(pos, quoted.end), proper)
            single = text[pos] == "'"
            message = (
                say("Single quotes where JSON wants double quotes")
                if single
                else say("Typographic quotes where JSON wants double quotes")
            )
            self._report("single-quotes", pos, quoted.end, message, [edit], safe=not bad and not quoted.guessed)
        for trouble in quoted.troubles:
            self._trouble(trouble, straight)
        return JsonNode("string", pos, quoted.end, scan.decode(quoted.body), self.box, quoted.closed)

    def _trouble(self, trouble: scan.Trouble, straight: bool) -> None:
        kind, start, end, repair = trouble
        if not straight and (kind == "control-character" or len(repair) == 1):
            return
        # Other quotes are replaced as a whole, and this with them.
        edits = (Edit(Span(start, end), repair),) if straight else ()
        if kind == "control-character":
            message = say(
                "Control character U+{code:04X} in a string, `{repair}` in JSON",
                code=ord(self.text[start]),
                repair=repair,
            )
        else:
            message = say("`{text}` is no escape of JSON", text=self.text[start:end])
        self._report(kind, start, end, message, edits, safe=kind == "control-character")


def _number(text: str) -> int | float:
    """A proper JSON number, as json.loads gives it."""
    return float(text) if "." in text or "e" in text or "E" in text else int(text)


def _breaks(text: str, start: int, end: int) -> bool:
    """Whether a line ends between two offsets (code points)."""
    return text.find("\n", start, end) >= 0 or text.find("\r", start, end) >= 0


def _missing(names: list[str]) -> str:
    """Closing brackets in the words of a message."""
    return "`" + "".join(names) + "`" if len(names) <= 8 else say("{number} closing brackets", number=len(names))
