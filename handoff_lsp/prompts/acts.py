"""What the reader of a prompt is to do with a value that it mentions."""

from __future__ import annotations

from functools import lru_cache

from handoff_lsp.prompts.statement import Act, Speaker, SpeakerKind
from handoff_lsp.prompts.view import PromptView
from handoff_lsp.prompts.wording import is_conditional, is_of_others
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern

# Words between a negation and a value that it is not about: `do not go on if X`, `nothing other than X`.
_TURN = (
    r"(?:\b(?:if|when|while|until|unless|because|since|once|other|except|but|only|without|si|cuando|wenn|falls|quand|se|"
    r"quando)\b|場合|とき|以外)"
)
# Before a value that is not to be written, in the same clause.
_FORBIDDEN = lazy_pattern(
    r"(?i)\b(?:never|not|don['’]t|doesn['’]t|mustn['’]t|cannot|can['’]t|no longer|instead of|rather than|avoid|stop "
    r"(?:using|writing|emitting)|forbidden|prohibited|deprecated|obsolete|invalid|formerly|previously|replaces|"
    r"renamed from|no (?:us\w+|devuelv\w+|escrib\w+|emit\w+|retorn\w+|report\w+|pong\w+)|nunca|jamás|"
    r"en lugar de|en vez de|evita\w*|em vez de|não|nicht|niemals|nie|kein\w*|statt|anstatt|anstelle von|jamais|ne pas|"
    r"n['’]\w+ (?:pas|jamais)|au lieu d[e'’])"
    rf"(?:(?<!\w)|(?!\w))(?:(?!{_TURN})[^.,;:!?、。\n|])" + r"{0,50}:?[\s*_]*$"
    r"|(?:禁止|不要|不得|切勿|不能|禁用)[^。、，\n]{0,12}$",
)
_FORBIDDEN_AFTER = lazy_pattern(
    r"(?i)^[`*\"”»]*\s*(?:\((?:deprecated|obsolete|removed|legacy|invalid|veraltet|obsoleto|obsolète|廃止|非推奨)\b|"
    r"(?:is|are|was|were|has been)\s+(?:not (?:a )?(?:valid|allowed|accepted|permitted|supported)|never\b|no longer|"
    r"(?:now )?(?:invalid|forbidden|prohibited|deprecated|obsolete|removed|retired)\b)|must (?:not|never)\b|"
    r"(?:no es válid|está prohibid|está obsolet|ya no se us)\w*|"
    r"(?:ist|sind) (?:nicht erlaubt|verboten|veraltet|ungültig)|"
    r"(?:darf|dürfen) nicht|nicht (?:verwenden|schreiben|ausgeben|benutzen)|"
    r"(?:est|sont) (?:interdit|obsolète|invalide)|n['’]est (?:pas|plus) (?:valide|autorisé))"
    r"|^[`*」』\s]*(?:は|を|とは|も)?\s*(?:使わない|使用しない|書かない|書いてはいけない|返さない|出力しない|使用禁止|禁止|無効|廃止|非推奨)"
    r"|^[`*」』\s]*(?:ではなく|の代わりに|じゃなく)|^[`*」』\s]*(?:已弃用|已废弃|无效|被禁止)|^[`*」』\s]*(?:을|를|은|는)?\s*"
    r"(?:사용하지|쓰지|반환하지|출력하지)"
)
# A condition that a value is part of: nothing but a label is between its word and the value.
_UNDER_CONDITION = lazy_pattern(
    r"(?i)(?:^|[\s(*])(?:if|when|whenever|unless|until|while|once|where|on|upon|in case(?: of)?|requires?|under|for|"
    r"si|cuando|al|wenn|falls|bei|quand|lors de|se|quando|em caso de)\s+"
    r"(?:(?:the|its|your|a|an|any|agent['’]?s?|el|la|der|die|das|le|o|its own)\s+)*"
    r"[\w.*]*\s*X?\s*(?:status|state|verdict|field|value)?\s*(?:(?:is|are|was|=|==|equals|says|reads|es|ist|est|é)\s*)?[:=]?[\s*(]*(?:X\s*(?:[,/|]|or|and|o|oder|ou|または)?\s*)*$"
)
_CONDITION_AFTER = lazy_pattern(r"^[`*」』\s]*(?:の|な|である|だった)?(?:場合|とき|時は?|なら)")
# It is looked for in what others wrote: "read the spec to detect X".
_LOOKED_FOR = lazy_pattern(
    r"(?i)\bto (?:detect|extract|look (?:up|for)|check (?:for|whether|if))\s+(?:the\s+|its\s+)?[*_]*$"
)
# Another agent does something with it: "if simplify-code returns X".
_OTHER_RETURNS = lazy_pattern(
    r"(?i)\b(?:if|when|whenever|once|after|until)\s+(?!(?:this|it|you)\b)[^.,;:\n]{1,60}?"
    r"\b(?:returns?|returned|reports?|reported|responds?|emits?|emitted|repl(?:y|ies)|produces?|outputs?|comes? back|"
    r"ends?)\b"
    r"|が(?:返|出力|報告)し?(?:た|たら|てきたら)?"
)
# The reader writes it.
_WRITES = lazy_pattern(
    r"(?i)(?:^[\s>*+\d.)-]*|[,;:(→]\s*|\b(?:and|or|then|must|should|shall|will|you|to|always)\s+)[*_]*"
    r"(?:return|emit|output|set|write|report|use|produce|respond with|reply with|end with|finish with)\b"
    r"[^.,;:\n]{0,40}:?[\s*_]*$"
)
# A column that says how a value is reacted to.
_REACTION = lazy_pattern(
    r"(?i)^\W*(?:(?:reactions?|actions?|orchestrator\w*|what (?:to do|happens)|then|do|handling|response|route|routing|"
    r"next (?:step|action)|you read|read|acción|acciones|reacción|aktion|reaktion)\b"
    r"|対応|処理|動作|アクション|处理|动作)"
)
_CLAUSE = lazy_pattern(r"[.;!?。；！？](?=\s|$)|。|\n[ \t>]*\n|(?<=\s)[—–](?=\s)")
_CODE = lazy_pattern(r"(`{1,3})[^`\n]{1,200}\1")
# The items of a list that come before one of its others.
_LIST_BEFORE = lazy_pattern(r"(?:X\s*(?:(?:[,/|、]|\b(?:or|and|o|ou|oder|y|e|und)\b)\s*)+)+$")
# The characters before and after a value that are looked at.
_BEFORE = 240
_AFTER = 120


def act_of(view: PromptView, speaker: Speaker, span: Span) -> Act:
    """What is to be done with the words of a span of the prose."""
    block = view.block(span.start)
    code = view.code_around(span.start)
    start, end = code.span if code is not None else span
    before = view.prose[max(block.start, start - _BEFORE) : start]
    after = view.prose[end : min(max(block.end, end), end + _AFTER)]
    return _act(speaker.kind, before, after)


@lru_cache(maxsize=4_096)
def _act(kind: SpeakerKind, before: str, after: str) -> Act:
    """What one who speaks wants done with words between others."""
    clause = _CLAUSE.split(before)[-1]
    # Other code is in the way of the words between.
    words = _CODE.sub("X", clause)
    if _FORBIDDEN.search(_LIST_BEFORE.sub("", words)) or _FORBIDDEN_AFTER.search(_CODE.sub("X", after)):
        return "forbids"
    if kind == "orchestrator":
        return "handles"
    if kind == "page":
        return "mentions"
    if kind == "template":
        return "emits"
    if _WRITES.search(words) and not _OTHER_RETURNS.search(words):
        return "emits"
    # A value may be a verb of others: `returned`.
    if _OTHER_RETURNS.search(words) or is_of_others(_CODE.sub("`X`", clause + "NAME" + _CLAUSE.split(after)[0])):
        return "handles"
    conditional = _UNDER_CONDITION.search(words) or _CONDITION_AFTER.search(after) or _LOOKED_FOR.search(words)
    if conditional or (is_conditional(clause) and not _EMITS.search(clause)):
        return "handles" if kind == "skill" else "mentions"
    return "emits"


def act_of_table(headers: list[str], act: Act) -> Act:
    """What is to be done with the values in a table with these headers; ``act``: by its words alone."""
    return "handles" if act == "emits" and any(map(_REACTION.search, headers)) else act


def act_of_fence(view: PromptView, speaker: Speaker, span: Span) -> Act:
    """What is to be done with the handoff in a fence."""
    # A value may be such a word: `rejected`.
    lead = _IN_CODE.sub(" ", lead_of(view, span))
    # What introduces the fence ends with a colon.
    last = _CLAUSE.split(lead)[-1] if lead.endswith((":", "：")) else lead if len(lead) < _SHORT else ""
    if _BAD.search(last) or (last.endswith((":", "：")) and _BAD_DEED.search(last)):
        return "forbids"
    if any(_BAD.search(_IN_CODE.sub(" ", title)) for title in view.headings(span.start)[:1]):
        return "forbids"
    if speaker.kind == "orchestrator":
        return "handles"
    if speaker.kind == "page":
        return "mentions"
    # The sentence that introduces the fence decides, if it says so: "Read the diff. End with a block:".
    is_own = lead.endswith((":", "：")) and _WRITES.search(last) and not is_of_others(last)
    return "mentions" if is_of_others(lead) and not is_own else "emits"


def lead_of(view: PromptView, span: Span) -> str:
    """The paragraph above a fence."""
    return view.prose[max(span.start - _LEAD, 0) : span.start].rstrip().rpartition("\n\n")[2]


# The characters before a fence that say what it shows, and as many as a label has.
_LEAD = 300
_SHORT = 40
_IN_CODE = lazy_pattern(r"`[^`\n]*`")
# Words before a fence that shows what not to write.
_BAD = lazy_pattern(
    r"(?i)\b(?:bad|wrong|invalid|incorrect|broken|anti-?patterns?|malformed|rejected|mal|incorrecto|falsch|mauvais)\b"
    r"|❌|✗|悪い例|誤り|禁止"
)
_BAD_DEED = lazy_pattern(r"(?i)\b(?:don['’]t|do not|never|nunca|niemals|jamais)\b")
_EMITS = lazy_pattern(
    r"(?i)\b(?:return|emit|output|set|use|report|respond|write|include|record|devuelv\w*|escrib\w*|schreib\w*|gib|renvo\w*)"
    r"s?\b|出力|返|→"
)
