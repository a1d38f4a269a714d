package dev.artel.gateway.shell;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.ValueRoom;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.job.TraceContext;
import dev.artel.kernel.task.Payload;
import dev.artel.protocol.TaskAssignment;
import dev.artel.protocol.TaskSigner;
import dev.artel.session.SessionReply;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Writes hand-outs in the form of workers, the same on all wires. Safe for use by many threads.
public final class TaskAssignments {
    /// A worker that wants all values in its messages.
    public static final int ALL = -1;

    /// Parameters of fewer bytes are written at once.
    private static final int SMALL = 64 << 10;

    /// What a value may take for each byte of its text, and its text with it.
    private static final int PER_BYTE = 20;

    private final ValueRoom room = new ValueRoom();
    private final Function<Payload, JsonValue> payloads;
    private final Optional<ValueAddresses> valueAddresses;
    private final Optional<TaskSigner> signer;

    /// Assignments whose values are read by `payloads`, wherever they are kept.
    ///
    /// @param valueAddresses what workers fetch and put by themselves; empty: all values are in messages
    public TaskAssignments(
            Function<Payload, JsonValue> payloads, Optional<ValueAddresses> valueAddresses) {
        this(payloads, valueAddresses, Optional.empty());
    }

    /// As [#TaskAssignments(Function, Optional)], signed.
    ///
    /// @param signer empty: not signed
    public TaskAssignments(
            Function<Payload, JsonValue> payloads,
            Optional<ValueAddresses> valueAddresses,
            Optional<TaskSigner> signer) {
        this.payloads = payloads;
        this.valueAddresses = valueAddresses;
        this.signer = signer;
    }

    /// The answer to a poll, with all values in it.
    public byte[] write(SessionReply.Tasks tasks) {
        return write(tasks, ALL);
    }

    /// The answer to a poll.
    ///
    /// @param inline larger parameters, in bytes, do not come in the message; or [#ALL]
    public byte[] write(SessionReply.Tasks tasks, int inline) {
        var worker = tasks.tasks().getFirst().lease().worker().value();
        try (var _ = room.take(worker, weight(tasks.tasks(), inline))) {
            return JsonText.write(json(tasks, inline));
        }
    }

    /// Whether [#write(SessionReply.Tasks)] reads large parameters, and may wait until there is room for them.
    public boolean isLarge(SessionReply.Tasks tasks) {
        return weight(tasks.tasks(), ALL) > 0;
    }

    /// About how many bytes the parameters of `task` take once they are read, with their text; 0 if they are small.
    public static long weight(HandOut task) {
        return weight(List.of(task), ALL);
    }

    /// About how many bytes the large parameters take that come in an answer, while it is written.
    private static long weight(List<HandOut> tasks, int inline) {
        var bytes =
                tasks.stream()
                        .mapToLong(task -> Payload.bytesApart(task.spec().params()))
                        .filter(each -> inline == ALL || each <= inline)
                        .sum();
        return bytes < SMALL ? 0 : PER_BYTE * bytes;
    }

    /// The answer to a poll, as JSON.
    ///
    /// @param inline larger parameters, in bytes, do not come in the message; or [#ALL]
    public JsonValue json(SessionReply.Tasks tasks, int inline) {
        var assignments =
                tasks.tasks().stream().map(task -> of(task, tasks.lease(), inline)).toList();
        return body(assignments, tasks.form());
    }

    private static JsonValue body(List<TaskAssignment> assignments, SessionReply.Form form) {
        return switch (form) {
            case SINGLE -> assignments.getFirst().toJson();
            case LIST -> TaskAssignment.toJson(assignments);
        };
    }

    /// One task for its worker.
    ///
    /// @param term how long the worker holds it without a renewal
    /// @param inline larger parameters, in bytes, do not come in the message; or [#ALL]
    public TaskAssignment of(HandOut handOut, Duration term, int inline) {
        var plain = plain(handOut, term, inline);
        return signer.isPresent() ? signer.get().signed(plain) : plain;
    }

    private TaskAssignment plain(HandOut handOut, Duration term, int inline) {
        var lease = handOut.lease();
        var params = handOut.spec().params();
        var large = inline == ALL ? null : large(params, lease, inline);
        var isInMessage = large == null || large.params() == null;
        return new TaskAssignment(
                handOut.job().value(),
                lease.token().value(),
                handOut.spec().type(),
                isInMessage ? params(payloads.apply(params)) : JsonObject.EMPTY,
                handOut.trace().map(TraceContext::headers).orElse(JsonObject.EMPTY),
                new TaskAssignment.Terms(
                        lease.token().value(),
                        lease.attempt(),
                        handOut.priority(),
                        lease.timeout(),
                        term),
                large,
                handOut.answers().stream()
                        .map(answer ->
                                new TaskAssignment.Answer(
                                        answer.question().id(),
                                        answer.question().text(),
                                        answer.text()))
                        .toList());
    }

    private TaskAssignment.@Nullable Large large(Payload params, Lease lease, int inline) {
        return valueAddresses
                .map(open ->
                        new TaskAssignment.Large(
                                params instanceof Payload.Ref ref && ref.bytes() > inline
                                        ? open.reference(ref)
                                        : null,
                                open.address(lease),
                                open.maxBytes()))
                .orElse(null);
    }

    private static JsonObject params(JsonValue value) {
        return value instanceof JsonObject object ? object : JsonObject.of("data", value);
    }
}
