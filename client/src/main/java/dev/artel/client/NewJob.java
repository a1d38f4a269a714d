package dev.artel.client;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.bind.Writing;
import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
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
/// @param deadline how long it may take before it fails; empty: for ever
/// @param webhook who is called when it ends or waits for a person; see [WebhookSignature]
public record NewJob(
        String blueprint,
        Optional<String> version,
        JsonValue initialData,
        String idempotencyKey,
        double priority,
        SequencedMap<String, String> labels,
        Optional<Duration> deadline,
        Optional<URI> webhook) {
    /// Copies `labels`.
    public NewJob {
        labels = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(labels));
    }

    /// A job of the newest version of `blueprint`, under a key of its own.
    ///
    /// @param initialData a record, a value of `dev.artel.json`, a map, a list, a string, a number or a boolean
    public static NewJob of(String blueprint, Object initialData) {
        return new NewJob(
                blueprint,
                Optional.empty(),
                Writing.json(initialData),
                UUID.randomUUID().toString(),
                0,
                new LinkedHashMap<>(),
                Optional.empty(),
                Optional.empty());
    }

    /// This job of another version of the blueprint.
    public NewJob withVersion(String wanted) {
        return new NewJob(
                blueprint,
                Optional.of(wanted),
                initialData,
                idempotencyKey,
                priority,
                labels,
                deadline,
                webhook);
    }

    /// This job under a key that means something to you, such as the number of an order: it is made once, also if the
    /// program that submits it is started again.
    public NewJob withIdempotencyKey(String key) {
        return new NewJob(
                blueprint, version, initialData, key, priority, labels, deadline, webhook);
    }

    /// This job with another priority.
    public NewJob withPriority(double higherGoesFirst) {
        return new NewJob(
                blueprint,
                version,
                initialData,
                idempotencyKey,
                higherGoesFirst,
                labels,
                deadline,
                webhook);
    }

    /// This job with one more label.
    public NewJob withLabel(String name, String value) {
        var more = new LinkedHashMap<>(labels);
        more.put(name, value);
        return new NewJob(
                blueprint, version, initialData, idempotencyKey, priority, more, deadline, webhook);
    }

    /// This job, which fails if it has not ended by then.
    public NewJob withDeadline(Duration fromNow) {
        return new NewJob(
                blueprint,
                version,
                initialData,
                idempotencyKey,
                priority,
                labels,
                Optional.of(fromNow),
                webhook);
    }

    /// This job, which calls `url` when it ends, is quarantined or waits for a person. Public addresses over TLS are
    /// called, and others that an operator has allowed.
    public NewJob withWebhook(URI url) {
        return new NewJob(
                blueprint,
                version,
                initialData,
                idempotencyKey,
                priority,
                labels,
                deadline,
                Optional.of(url));
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
        return body.build();
    }
}
