"""The words by which a prompt says whose output a handoff is: the agent's own, or one that it reads.

In English, Japanese, Spanish, Portuguese, French, German, Chinese and Korean. In any other language, a prompt says
nothing, so that its agent owes nothing.
"""

from __future__ import annotations

import re
from functools import lru_cache

from handoff_lsp.text.lazy import lazy_pattern

# Those who read an agent's output. A sentence about them says nothing about the reading of the agent itself.
_READERS = lazy_pattern(
    r"\b(?:orchestrator|coordinator|caller|parent|lead|runtime|hook|parser|pipeline|script|tool|consumer|machine|user|"
    r"next (?:agent|phase|step))s?\b[`*]*\s+(?:(?:will|must|should|can|to|then|only|always|never)\s+)*"
    r"(?:reads?|receives?|parses?|expects?|extracts?|validates?|checks?|consumes?)\b",
    re.IGNORECASE,
)

# The agent reads it, or another agent writes it.
_THEIRS = lazy_pattern(
    r"(?:^[\s>*#\d.)-]*|\b(?:and|then|you|you will|you'll|must|will|to|should|can|first|always)\s+)[*_]*"
    r"(?:read|receive|parse|expect|extract|collect|consume|wait for|await|get|ask)\b"
    r"|\b(?:sub-?agents?|workers?|specialists?|teammates?|executors?|reviewers?|developers?|testers?|children|they|"
    r"agents|(?:each|every|another|other|previous|upstream|called|child|the other) "
    r"(?:agent|phase|worker|step|role)s?)\b"
    r"[^.:;\n]{0,60}\b(?:return|respond|report|emit|end|output|produce|give|deliver|send|write|repl(?:y|ies))"
    r"(?:s|ed|n)?\b"
    r"|`[\w-]+`(?:'s)?[^.:;\n]{0,30}\b(?:returns|responds|reports|emits|replies|produces|returned|emitted)\b"
    r"|\b(?:inputs?|incoming|receives|received|returned by|emitted by|written by|produced by)\b"
    r"|\bfrom (?:the|your|each|every|a|an|all)\b[^.:;\n]{0,40}\b(?:agent|worker|developer|reviewer|phase|teammate|step)"
    r"|入力|受け取|受信|受領|読み|読む|解析|参照|から渡|サブエージェント(?:が|は|の)"
    r"|\b(?:entrada|recib\w+|lee|leer|espera|analiza\w*|leia|ler|receb\w+|espere|entrée|lis|lire|reçoi\w*|"
    r"attend\w*|eingabe|lies|lesen|empfäng\w*|empfang\w*|erwarte\w*)\b"
    r"|输入|接收|收到|读取|解析|입력|수신|받(?:은|는|아)|읽",
    re.IGNORECASE,
)

# It is owed in some cases only.
_CONDITIONAL = lazy_pattern(
    r"^[\s>*#\d.)-]*[*_`]*(?:if|unless|in case|should you|only (?:if|when)|on (?:failure|error)|for example|e\.g\."
    r"|(?:when|once|after)\b(?!.*\b(?:done|complet\w*|finish\w*|end|ends)\b)"
    r"|もし|(?:si|se|falls|sofern|만약|如果|若)(?:\b|(?=\W)))"
    r"|(?<!完了した)(?<!終了した)場合",
    re.IGNORECASE,
)

# A word before the name of something that is not written.
_NEGATION = (
    r"(?:not|never|no|without|nor|don't|doesn't|cannot|nunca|jamás|sin|nicht|keinen?|nie|pas|jamais|aucun|não|nem)"
)

# The agent writes it. Without a verb before it, a name is only mentioned.
_VERBS = (
    r"(?:return|respond with|respond|reply with|reply|answer with|output|emit|produce|report|deliver|provide|print|"
    r"finish with|finish|conclude with|close with|end (?:your|the) (?:turn|run|message|response|reply|work) with|"
    r"end with|append|write|include|send|issue|finalize|"
    r"devuelve|devuelva|devolver|retorna|retorne|emite|emita|emitir|responde con|responda com|termina con|termine com|"
    r"termine par|finaliza con|renvoie|renvoyer|retourne|réponds avec|rends|gib|liefere|antworte mit|"
    r"beende\w* .{0,30}mit)"
)
_OWN = lazy_pattern(
    rf"\b{_VERBS}\b"
    r"|\b(?:final (?:message|response|answer|output|report)|last message|on completion|"
    r"your (?:final |last )?(?:response|reply|answer|output|report|result|hand-?off|summary|deliverable|message))\b"
    r"|\b(?:must (?:contain|include|end|be)|ends? with|hands? (?:back|off))\b"
    r"|出力|返す|返し|返答|返却|報告|最終メッセージ|最後に|完了時|終了時|記載|締め"
    r"|\b(?:salida|mensaje final|respuesta|informe final|saída|resposta|mensagem final|sortie|réponse|message final|"
    r"ausgabe|antwort|rückgabe|abschlussbericht|letzte nachricht|gib\b.{0,60}\b(?:aus|zurück))\b"
    r"|输出|返回|回复|最终消息|结束时|完成后|交付|출력|반환|응답|보고|마지막",
    re.IGNORECASE,
)

_DENIED = lazy_pattern(
    rf"\b{_NEGATION}\s+(?:(?:\w+ly|ever|need to|have to|to)\s+)?{_VERBS}\b|\b{_VERBS}s?\s+(?:no|kein\w*|aucun\w*)\b"
    r"|しない|出力せず|不要|禁止|不得|하지",
    re.IGNORECASE,
)
_NOT_BEFORE = lazy_pattern(rf"\b{_NEGATION}\b|しない|不要|禁止|不得", re.IGNORECASE)
_NOT_AFTER = lazy_pattern(r"^.{0,20}(?:しない|不要|禁止|하지)")

_OWN_HEADING = lazy_pattern(
    r"\b(?:outputs?|returns?|responses?|final (?:message|report|answer)|results?|reporting|report(?: format| back)?|"
    r"completion|deliverables?|hand-?offs?|status block|how to (?:end|finish)|closing|last message"
    r"|when (?:you are )?done"
    r"|salida|respuesta|resultado|entrega|informe|saída|resposta|entregáveis|sortie|réponse|résultat|rapport|ausgabe|"
    r"antwort|ergebnis|rückgabe|abschluss)\b"
    r"|出力|返却|返答|報告|完了|成果物|结果|输出|返回|交付|출력|반환|보고|결과",
    re.IGNORECASE,
)
_THEIR_HEADING = lazy_pattern(
    r"\b(?:inputs?|incoming|receiv\w*|read|reading|context|before|startup|what you get|parsing|routing|sub-?agents?|"
    r"dispatch\w*|delegat\w*|orchestrat\w*|monitor\w*|expected from|teams?|workers?|contracts? of others|"
    r"entrada|eingabe|entrée)\b|入力|受け取|输入|입력",
    re.IGNORECASE,
)

# An agent that coordinates others shows what it reads.
_ORCHESTRATOR = lazy_pattern(
    r"\b(?:you are|you act as|act as|i am) (?:the|an?|our) [^.\n]{0,60}"
    r"\b(?:orchestrator|coordinator|dispatcher|conductor)\b"
    r"|オーケストレーターで(?:す|ある)|\beres (?:el|la|un|una) [^.\n]{0,40}(?:orquestador|coordinador)a?\b",
    re.IGNORECASE,
)
_COORDINATING_NAME = lazy_pattern(
    r"(?:^|[-_ ])(?:orchestrator|coordinator|dispatcher|conductor|router)(?:$|[-_ ])", re.I
)
# The opening of a prompt, where it says who the agent is (characters).
_OPENING = 3_000

_DETERMINERS = (
    r"(?:(?:an?|the|your|this|its|final|valid|one|single|exactly|complete|json|fenced|following|with|by|in full|"
    r"markdown|"
    r"un|una|el|la|le|um|uma|eine?n?|das|den|bloque|bloc|bloco|block|of|de|own)\s+)"
)
_VERB_BEFORE = lazy_pattern(rf"(?:(?<![\w-]){_VERBS}\b[\s:`*\"“]*{_DETERMINERS}{{0,5}}[`*\"“]*)$", re.IGNORECASE)
_VERB_AFTER = lazy_pattern(
    r"^[`*\"”]*\s*(?:block|ブロック|形式|を|の|結果|块|格式|블록|을|를|\s|必ず|最後に|末尾に|そのまま|で)*"
    r"(?:出力|返|報告|記載|生成|输出|返回|출력|반환)"
)
_SENTENCE_END = lazy_pattern(r"(?<=[.!?;])\s+|(?<=[。！？；])")


def sentences(text: str) -> list[str]:
    """The sentences of a paragraph, none of them empty."""
    return [part for part in _SENTENCE_END.split(text) if part.strip()]


def leads_to_own(lead: str, headings: list[str]) -> bool:
    """Whether the paragraph before a block, or else the headings above, say that the block is the agent's own output.

    ``headings``: the titles above it, the nearest first.
    """
    parts = [_READERS.sub(" ", part) for part in sentences(lead)]
    for part in reversed(parts):
        if _CONDITIONAL.search(part) or _THEIRS.search(part) or _DENIED.search(part):
            return False
        if _OWN.search(part):
            return not any(_THEIR_HEADING.search(title) for title in headings[:1])
    return in_own_section(headings)


def in_own_section(headings: list[str]) -> bool:
    """Whether the nearest heading that says anything is about the agent's own output."""
    for title in headings:
        if _THEIR_HEADING.search(title):
            return False
        if _OWN_HEADING.search(title):
            return True
    return False


def names_own(before: str, after: str, headings: list[str]) -> bool:
    """Whether a sentence around a handoff's name, ``before`` and ``after`` it, says that the agent writes it."""
    sentence = _READERS.sub(" ", f"{before}NAME{after}")
    if _CONDITIONAL.search(sentence) or _THEIRS.search(sentence):
        return False
    if _NOT_BEFORE.search(before) or _NOT_AFTER.search(after):
        return False
    return bool(_VERB_BEFORE.search(before) or _VERB_AFTER.search(after)) or in_own_section(headings[:1])


def denies(sentence: str) -> bool:
    """Whether a sentence says that something is not written."""
    return _DENIED.search(sentence) is not None


def coordinates(name: str, prompt: str) -> bool:
    """Whether an agent coordinates others, by its name or the opening of its prompt."""
    return _coordinates(name, prompt[:_OPENING])


@lru_cache(maxsize=512)
def _coordinates(name: str, opening: str) -> bool:
    return bool(_COORDINATING_NAME.search(name) or _ORCHESTRATOR.search(opening))


def is_conditional(sentence: str) -> bool:
    """Whether a sentence begins with a condition."""
    return _CONDITIONAL.search(sentence) is not None


def is_of_others(sentence: str) -> bool:
    """Whether a sentence is about the output of another agent."""
    return _THEIRS.search(_READERS.sub(" ", sentence)) is not None
