"""The pages about fields, values, contracts and rules, as Markdown, made from the contracts and the rules."""

from __future__ import annotations

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.contracts.limits import limits_of
from handoff_lsp.contracts.model import Check, Contract, Field, Value
from handoff_lsp.contracts.registry import Registry
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.decide.routing import decision, reads_of
from handoff_lsp.decide.words import marked_line_of, rest_of
from handoff_lsp.features.pages.decision_page import errors_beside
from handoff_lsp.features.pages.markup import code, paragraphs, prose
from handoff_lsp.features.pages.recognition_words import recognised
from handoff_lsp.language import say, translated
from handoff_lsp.rules.registry import all_rules
from handoff_lsp.rules.rule import sentence
from handoff_lsp.rules.shared.condition_words import condition_text, now
from handoff_lsp.rules.shared.field_cells import all_fields as all_fields
from handoff_lsp.text.lazy import lazy_pattern

# A value of the document in a check's message.
_HOLE = lazy_pattern(r"\{[^{}]*\}")
_RULE, _CONTRACT = "rule:", "contract:"
# The most values and other titles that a hover lists; `explain` lists all.
MOST_VALUES, _MOST_TITLES = 12, 6
_LAST_LATIN = 0x24F


def field_key(spec: Spec, path: str, value: str | None = None) -> str:
    """The key by which ``page_of`` finds the page of a field or of one of its values."""
    tail = "" if value is None else f"={value}"
    return f"{spec.name}/{spec.profile}/{path}{tail}"


def rule_key(name: str) -> str:
    """The key by which ``page_of`` finds the page of a rule, or of a check: ``CONTRACT/CHECK``."""
    return f"{_RULE}{name}"


def contract_key(name: str) -> str:
    """The key by which ``page_of`` finds the page of a contract."""
    return f"{_CONTRACT}{name}"


def page_of(key: str, registry: Registry) -> str:
    """The page with a key; empty for an unknown key."""
    if key.startswith(_RULE):
        return rule_page(key.removeprefix(_RULE), registry) or ""
    if key.startswith(_CONTRACT):
        name = key.removeprefix(_CONTRACT)
        return contract_page(registry[name].contract) if name in registry else ""
    name, _, rest = key.partition("/")
    profile, _, rest = rest.partition("/")
    path, has_value, word = rest.partition("=")
    if name not in registry or profile not in registry[name].contract.profiles:
        return ""
    spec = registry[name].spec(profile)
    field = field_at(spec, path)
    if field is None:
        return ""
    if not has_value:
        return field_page(spec, path, field)
    value = next((value for value in field.values if value.value == word), None)
    return value_page(spec, path, field, value) if value is not None else ""


def field_at(spec: Spec, path: str) -> Field | None:
    """The field at a dotted path; ``[]`` or ``[3]`` after a list's name means its items. None without one."""
    fields = spec.fields
    field: Field | None = None
    for part in path.split("."):
        name, bracket, _ = part.partition("[")
        field = fields.get(name)
        if field is not None and bracket:
            field = field.items
        if field is None:
            return None
        fields = field.fields
    return field


def title_of(spec: Spec, path: str, field: Field) -> str:
    """The display name of a field: its heading or label, or in JSON its path; of an item, that of its list."""
    if spec.is_json:
        return path
    around = field_at(spec, path.removesuffix("[]")) if path.endswith("[]") else None
    if around is None or (field.title and not around.each):
        return field.title or path.rpartition(".")[2]
    return around.title


def field_page(spec: Spec, path: str, field: Field, handoff: Handoff | None = None) -> str:
    """The page about a field: its meaning, whether it is required (in ``handoff``: now), its reader and its values."""
    kind = prose(field.pattern_about) or translated(field.kind.about)
    optional = say("optional") if field.required is False else ""
    return paragraphs(
        " · ".join(part for part in (f"**{code(title_of(spec, path, field))}**", kind, optional) if part),
        _sentence(field.about),
        _needed(spec, field, handoff),
        _forbidden(spec, field, handoff),
        say("**Deprecated.** {sentence}", sentence=_sentence(field.deprecated)) if field.deprecated else "",
        _more(field),
        values_list(field, MOST_VALUES if handoff is not None else None),
        say("**Read by** {readers}", readers=prose(_lower(field.read_by))) if field.read_by else "",
        _aliases(field, handoff),
        routing(handoff) if handoff is not None and path == spec.contract.status else "",
        footer(spec, handoff),
    )


def _aliases(field: Field, handoff: Handoff | None) -> str:
    """The other titles of a field; in a handoff only those in a script that its own titles have."""
    others = [title for title in field.aliases if title.upper() != field.title.upper()]
    if handoff is not None:
        written = (handoff.source.slice(slot.key) for slot in handoff.slots if slot.key is not None)
        only_latin = all(map(_is_latin, written))
        others = [title for title in others if _is_latin(title) or not only_latin][:_MOST_TITLES]
    return say("Also written {titles}", titles=", ".join(code(title) for title in others)) if others else ""


def _is_latin(text: str) -> bool:
    """Whether each letter of a text is a Latin one."""
    return not any(letter.isalpha() and ord(letter) > _LAST_LATIN for letter in text)


def _sentence(text: str) -> str:
    """A text of a contract as a sentence: a capital letter and a full stop."""
    text = text if text[-1:] in ("!", "?") else sentence(text)
    return prose(text) if not text or text[-1] in "!?" else prose(text) + say(".")


def _lower(text: str) -> str:
    """A sentence as part of another one: ``The orchestrator`` in lower case, a name unchanged."""
    first = text.split(" ", 1)[0].rstrip(".,")
    return text[0].lower() + text[1:] if first in {"The", "A", "An", "People", "Nobody"} else text


def _needed(spec: Spec, field: Field, handoff: Handoff | None) -> str:
    if field.required is False:
        return ""
    if field.required is True:
        return say("**Required.** {sentence}", sentence=_sentence(field.because)).strip()
    condition = condition_text(spec, field.required)
    head = say("**Required when** {condition}", condition=condition) if condition else say("**Sometimes required**")
    return f"{head}{now(handoff, field.required)}. {_sentence(field.because)}".strip()


def _forbidden(spec: Spec, field: Field, handoff: Handoff | None) -> str:
    if not field.forbidden:
        return ""
    if field.forbidden == "true":
        return say("**Not allowed.** {sentence}", sentence=_sentence(field.forbidden_because)).strip()
    condition = condition_text(spec, field.forbidden)
    head = say("**Must be empty when** {condition}", condition=condition) if condition else say("**Sometimes empty**")
    return f"{head}{now(handoff, field.forbidden)}. {_sentence(field.forbidden_because)}".strip()


def _more(field: Field) -> str:
    """The other requirements on a field's value, in sentences."""
    more = [say("It must {limits}.", limits=say(", and ").join(limits))] if (limits := list(limits_of(field))) else []
    if field.open and field.values:
        more.append(say("Other values are allowed."))
    if field.mentions:
        more.append(say("It must name {names}.", names=", ".join(code(name) for name in field.mentions)))
    if field.marked and field.values:
        more.append(say("Each row needs a mark."))
    if field.paths:
        more.append(say("The files it names should exist."))
    if field.names:
        more.append(say("One of the workspace's {names}.", names=field.names))
    if field.example and field.example not in field.pattern_about:
        more.append(say("Example: {example}.", example=code(field.example)))
    return " ".join(more)


def values_list(field: Field, most: int | None = None) -> str:
    """The values that a field offers, each with its meaning; at most ``most``, and the number of the others."""
    lines = [f"- {code(value.value)}{_meaning(value)}" for value in field.offered[:most]]
    left = len(field.offered) - len(lines)
    return "\n".join([*lines, say("- and {left} more", left=left)] if left else lines)


def _meaning(value: Value) -> str:
    about = prose(value.about)
    if value.deprecated:
        about = say("{about} Deprecated: {reason}", about=about, reason=prose(value.deprecated)).strip()
    return f" — {about}" if about else ""


def value_page(spec: Spec, path: str, field: Field, value: Value, handoff: Handoff | None = None) -> str:
    """The page about a value: its meaning and effect; for the status of ``handoff`` also the current decision."""
    routed = routing(handoff) if handoff is not None and path == spec.contract.status else ""
    then = prose(value.then)
    route = decision(handoff) if handoff is not None and routed else None
    if route is not None and value.then.lower().startswith(route.action):  # `Advances …`: the decision says it
        then = ""
    return paragraphs(
        say("**{value}** · value of {field}", value=code(value.value), field=code(title_of(spec, path, field))),
        _sentence(value.about),
        say("**Deprecated.** {sentence}", sentence=_sentence(value.deprecated)) if value.deprecated else "",
        say("**Then:** {then}", then=then) if then else "",
        routed,
        footer(spec, handoff),
    )


def unknown_value_page(spec: Spec, path: str, field: Field, handoff: Handoff) -> str:
    """The page about a value that the field does not have: the valid ones. Its finding says the rest."""
    return paragraphs(
        say("**{field}** must be one of", field=code(title_of(spec, path, field))),
        values_list(field, MOST_VALUES),
        footer(spec, handoff),
    )


def routing(handoff: Handoff) -> str:
    """The orchestrator's decision about a handoff now, in words; empty without one, as for an example."""
    route = decision(handoff)
    if route is None:
        return ""
    now = say("**This handoff now:** {decision}.", decision=prose(marked_line_of(handoff, route)))
    if rest := rest_of(handoff, route):
        now = f"{now} {prose(rest)}"
    reads = reads_of(handoff, route)
    if reads:
        now = say("{now} Reads next: {titles}.", now=now, titles=", ".join(code(title) for title in reads))
    if errors := errors_beside(handoff, route):
        now += say(" It has {errors} and may be rejected.", errors=errors)
    return now


def contract_page(contract: Contract) -> str:
    """The page about a contract: its meaning, its recognition and its profiles."""
    profiles = "\n".join(f"- {_profile(name, contract)}" for name in contract.profiles)
    forms = "\n".join(f"- {form}" for form in recognised(contract))
    return paragraphs(
        f"**{prose(contract.title)}**",
        prose(contract.about),
        say("**Recognized as**\n\n{forms}", forms=forms) if forms else "",
        say("**Profiles**\n\n{profiles}", profiles=profiles),
        _source(contract),
    )


def _profile(name: str, contract: Contract) -> str:
    """A profile by its name, with what it is if the contract says so."""
    about = contract.profiles[name].about
    return f"{code(name)} — {prose(about)}" if about else code(name)


def _source(contract: Contract) -> str:
    return say("Source: {source}", source=prose(contract.source)) if contract.source else ""


def handoff_page(handoff: Handoff) -> str:
    """The page about a handoff: its contract, its profile and mode, the reasons for them, and the decision."""
    contract, spec = handoff.spec.contract, handoff.spec
    return paragraphs(
        f"**{prose(contract.title)}**",
        prose(contract.about),
        say("**Profile** {profile}", profile=_profile(spec.profile, contract)),
        say(
            "**Mode** {mode} · recognized by {reasons}",
            mode=code(handoff.mode),
            reasons=", ".join(code(reason, 120) for reason in handoff.reasons),
        ),
        routing(handoff),
        _source(contract),
    )


def footer(spec: Spec, handoff: Handoff | None = None) -> str:
    """The footer of a page: its contract and profile."""
    mode = f" · {handoff.mode}" if handoff is not None and handoff.mode != "handoff" else ""
    return say(
        "---\n\n{title} · {contract} · profile {profile}{mode}",
        title=prose(spec.contract.title),
        contract=code(spec.name),
        profile=code(spec.profile),
        mode=mode,
    )


def rule_page(name: str, registry: Registry) -> str | None:
    """The page of a rule, or of a check as ``CONTRACT/CHECK``; None for an unknown name."""
    rule = all_rules().get(name)
    if rule is None:
        contract, _, check = name.partition("/")
        spec = registry[contract].spec_with(check) if contract in registry else None
        return _check_page(name, spec, spec.contract.checks[check]) if spec is not None else None
    fix = {
        "always": say("has a quick fix"),
        "sometimes": say("sometimes has a quick fix"),
        "never": say("has no quick fix"),
    }[rule.fixable]
    return paragraphs(f"**{code(rule.code)}** · {rule.group} · {rule.severity} · {fix}", rule.doc.strip())


def _check_page(name: str, spec: Spec, check: Check) -> str:
    must, when = condition_text(spec, check.check), condition_text(spec, check.when)
    return paragraphs(
        f"**{code(name)}** · {code(check.rule)} · {check.severity}",
        _sentence(_HOLE.sub("…", check.message)),
        _sentence(check.because),
        say("Must hold: {must}.", must=must) if must else "",
        say("Checked when {when}.", when=when) if when else "",
    )
