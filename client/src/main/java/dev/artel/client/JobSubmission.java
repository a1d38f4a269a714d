package dev.artel.client;

import dev.artel.blueprint.BlueprintType;
import dev.artel.blueprint.Signal;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.bind.Writing;
import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.UUID;

/// A job that is wanted.
///
/// @param blueprint the name of a blueprint that the orchestrator knows
/// @param version of the blueprint; empty: the newest
/// @param initialData what the job starts with
/// @param idempotencyKey the same key gives the same job, however often it is submitted
/// @param priority higher goes first
/// @param labels for finding it again
/// @param deadline how long it may take before it fails; empty: forever
/// @param webhook who is called when it ends or waits for a person; see [WebhookSignature]
/// @param trace the trace of which it is a part
/// @param signal what the job receives with the submission, whether that begins it or its key did so before
public record JobSubmission(
        String blueprint,
        Optional<String> version,
        JsonValue initialData,
        String idempotencyKey,
        double priority,
        SequencedMap<String, String> labels,
        Optional<Duration> deadline,
        Optional<URI> webhook,
        Optional<Trace> trace,
        Optional<SentSignal> signal) {
    /// A signal that is sent with a submission.
    ///
    /// @param id means something to you, such as the number of a payment: the same id again changes nothing
    public record SentSignal(String name, String id, JsonValue payload) {}

    /// What a tracing library hands on, in the form of W3C Trace Context. The orchestrator hands it on to workers, and to the
    /// jobs that this one starts, and ignores what has not that form.
    ///
    /// @param parent the header `traceparent`
    /// @param state the header `tracestate`; empty for none
    public record Trace(String parent, String state) {
        /// Refuses what cannot be a header.
        public Trace {
            if (!(parent + state).chars().allMatch(c -> c >= ' ' && c <= '~')) {
                throw new IllegalArgumentException(
                        "traceparent and tracestate must be printable ASCII, were '"
                                + parent
                                + "' and '"
                                + state
                                + "'");
            }
        }
    }

    /// Copies `labels`.
    public JobSubmission {
        labels = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(labels));
    }

    /// A job of the blueprint `type`, with an idempotency key of its own.
    public static <I> JobSubmission of(BlueprintType<I, ?> type, I input) {
        return of(type.name(), type.input().write(input));
    }

    /// A job of the newest version of `blueprint`, under a key of its own.
    ///
    /// @param initialData a record, a value of `dev.artel.json`, a map, a list, a string, a number or a boolean
    public static JobSubmission of(String blueprint, Object initialData) {
        return new JobSubmission(
                blueprint,
                Optional.empty(),
                Writing.json(initialData),
                UUID.randomUUID().toString(),
                0,
                new LinkedHashMap<>(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /// This job of another version of the blueprint.
    public JobSubmission withVersion(String wanted) {
        return new JobSubmission(
                blueprint,
                Optional.of(wanted),
                initialData,
                idempotencyKey,
                priority,
                labels,
                deadline,
                webhook,
                trace,
                signal);
    }

    /// This job under a key that means something to you, such as the number of an order: it is made once, also if the
    /// program that submits it is started again.
    public JobSubmission withIdempotencyKey(String key) {
        return new JobSubmission(
                blueprint,
                version,
                initialData,
                key,
                priority,
                labels,
                deadline,
                webhook,
                trace,
                signal);
    }

    /// This job with another priority.
    public JobSubmission withPriority(double higherGoesFirst) {
        return new JobSubmission(
                blueprint,
                version,
                initialData,
                idempotencyKey,
                higherGoesFirst,
                labels,
                deadline,
                webhook,
                trace,
                signal);
    }

    /// This job with one more label.
    public JobSubmission withLabel(String name, String value) {
        var more = new LinkedHashMap<>(labels);
        more.put(name, value);
        return new JobSubmission(
                blueprint,
                version,
                initialData,
                idempotencyKey,
                priority,
                more,
                deadline,
                webhook,
                trace,
                signal);
    }

    /// This job, which fails if it has not ended by then.
    public JobSubmission withDeadline(Duration fromNow) {
        return new JobSubmission(
                blueprint,
                version,
                initialData,
                idempotencyKey,
                priority,
                labels,
                Optional.of(fromNow),
                webhook,
                trace,
                signal);
    }

    /// This job, which calls `url` when it ends, is quarantined or waits for a person. Public addresses over TLS are
    /// called, and others that an operator has allowed.
    public JobSubmission withWebhook(URI url) {
        return new JobSubmission(
                blueprint,
                version,
                initialData,
                idempotencyKey,
                priority,
                labels,
                deadline,
                Optional.of(url),
                trace,
                signal);
    }

    /// This job as a part of a trace.
    ///
    /// @param traceparent the header of W3C Trace Context, such as
    ///     `00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01`
    /// @param tracestate the other header; empty for none
    public JobSubmission withTrace(String traceparent, String tracestate) {
        return new JobSubmission(
                blueprint,
                version,
                initialData,
                idempotencyKey,
                priority,
                labels,
                deadline,
                webhook,
                Optional.of(new Trace(traceparent, tracestate)),
                signal);
    }

    /// This job, which receives a signal with the submission. With a [key that means something][#withIdempotencyKey], the
    /// job is begun unless it was before, and has the signal in both cases: a crash in between loses neither.
    ///
    /// @param id means something to you, such as the number of a payment: the same id again changes nothing
    /// @param payload a record, a value of `dev.artel.json`, a map, a list, a string, a number or a boolean
    public JobSubmission withSignal(String name, String id, Object payload) {
        return withSignal(new SentSignal(name, id, Writing.json(payload)));
    }

    /// This job, which receives the signal `signal` with the submission.
    ///
    /// @param id means something to you: the same id again changes nothing
    public <T> JobSubmission withSignal(Signal<T> signal, String id, T payload) {
        return withSignal(new SentSignal(signal.name(), id, signal.payload().write(payload)));
    }

    private JobSubmission withSignal(SentSignal sent) {
        return new JobSubmission(
                blueprint,
                version,
                initialData,
                idempotencyKey,
                priority,
                labels,
                deadline,
                webhook,
                trace,
                Optional.of(sent));
    }

    /// The headers of the request beside those that all have.
    Map<String, String> headers() {
        var headers = new LinkedHashMap<String, String>();
        trace.ifPresent(given -> {
            headers.put("traceparent", given.parent());
            if (!given.state().isEmpty()) {
                headers.put("tracestate", given.state());
            }
        });
        return headers;
    }

    JsonObject body() {
        var body =
                JsonObject.builder()
                        .put("blueprint", blueprint)
                        .put("initial_data", initialData)
                        .put("idempotency_key", idempotencyKey);
        version.ifPresent(wanted -> body.put("version", wanted));
        if (priority != 0) {
            body.put("priority", JsonValue.of(priority));
        }
        if (!labels.isEmpty()) {
            var named = JsonObject.builder();
            labels.forEach((name, value) -> named.put(name, new JsonString(value)));
            body.put("labels", named.build());
        }
        deadline.ifPresent(
                longest -> body.put("deadline_seconds", JsonValue.of(longest.toMillis() / 1000d)));
        webhook.ifPresent(url -> body.put("webhook_url", url.toString()));
        signal.ifPresent(sent ->
                body.put(
                        "signal",
                        JsonObject.builder()
                                .put("name", sent.name())
                                .put("id", sent.id())
                                .put("payload", sent.payload())
                                .build()));
        return body.build();
    }
}
