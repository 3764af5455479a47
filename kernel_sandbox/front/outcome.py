"""How a conversation ended, in one status and one line of reason."""

from kernel_sandbox.front.exchange import Conversation, Deadlines
from kernel_sandbox.front.execution import Execution, Status
from kernel_sandbox.keeper.keeping import REMAIN, overtime
from kernel_sandbox.policy import Policy

_STATUS_OF_CAUSE: dict[str, Status] = {
    "wall": "timeout",
    "memory": "memory",
    "cpu": "cpu",
    "output": "output",
    "interrupted": "interrupted",
}
_GONE = "its variables and staged tables are gone, and the next execution starts in a fresh process"


def execution_of(conversation: Conversation, seconds: float, policy: Policy, deadlines: Deadlines) -> Execution:
    """The answer as it is given to the caller."""
    collector = conversation.collector
    status, reason = _ending(conversation, deadlines)
    name, text, trace, line = collector.error or ("", "", "", None)
    if not name and collector.fault:
        name, text = "SandboxFault", collector.fault
    return Execution(
        status=status,
        stdout=collector.text("stdout"),
        stderr=collector.text("stderr"),
        error_name=name,
        error_text=text,
        traceback=trace,
        error_line=line,
        displays=tuple(collector.displays),
        dropped=collector.dropped,
        seconds=seconds,
        reason=reason,
        isolation=policy.isolation,
        outer="bwrap" if conversation.nursery.wrapped else "",
    )


def _ending(conversation: Conversation, deadlines: Deadlines) -> tuple[Status, str]:
    ended = conversation.kernel.ended
    if ended is not None:
        status = _STATUS_OF_CAUSE.get(ended["cause"], "died")
        return status, f"{_reason(status, conversation, deadlines) or ended['seen']}; {_GONE}"
    if conversation.past_deadline:
        return "timeout", f"{_reason('timeout', conversation, deadlines)} and was interrupted; {REMAIN}"
    if conversation.stop_cause:
        status = _STATUS_OF_CAUSE[conversation.stop_cause]
        return status, f"{_reason(status, conversation, deadlines)}; {REMAIN}"
    if conversation.collector.error or conversation.collector.fault:
        return "error", ""
    return "ok", ""


def _reason(status: Status, conversation: Conversation, deadlines: Deadlines) -> str:
    match status:
        case "timeout":
            return overtime(deadlines.wall_seconds)
        case "output":
            return f"the code said more than it may: {conversation.collector.excess or 'too much'}"
        case "interrupted":
            return "the code was interrupted"
        case "memory" | "cpu":
            return f"the code used {(conversation.kernel.ended or {}).get('seen', 'too much')}"
        case _:
            return ""
