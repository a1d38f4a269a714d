package dev.artel.server.api;

import dev.artel.gateway.http.HttpRefusal;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.engine.Submission;
import dev.artel.kernel.job.ClientTerms;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.job.Occasion;
import dev.artel.kernel.job.Webhook;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/// What a client asks for when it submits a job. Everything that is wrong with it is told at once.
final class JobRequest {
    private static final List<String> FIELDS =
            List.of(
                    "blueprint",
                    "version",
                    "initial_data",
                    "idempotency_key",
                    "priority",
                    "deadline",
                    "deadline_seconds",
                    "labels",
                    "cancel_grace_seconds",
                    "webhook_url",
                    "webhook_events");
    private static final int MAX_KEY = 200;
    private static final int MAX_LABELS = 50;
    private static final int MAX_LABEL = 200;
    private static final double MAX_GRACE_SECONDS = 86_400;
    private static final double MAX_DEADLINE_SECONDS = 10d * 366 * 86_400;

    private final JsonObject fields;
    private final List<String> problems = new ArrayList<>();

    private JobRequest(JsonObject fields) {
        this.fields = fields;
    }

    /// The submission that `body` asks for.
    ///
    /// @param headerKey the idempotency key in the request's head
    /// @throws HttpRefusal with all that is wrong
    static Submission read(JsonValue body, String client, @Nullable String headerKey, Instant now) {
        if (!(body instanceof JsonObject fields)) {
            throw HttpRefusal.invalidJson("the body must be an object, was " + body.kind());
        }
        var request = new JobRequest(fields);
        var blueprint = request.text("blueprint");
        if (blueprint.isEmpty() && !fields.has("blueprint")) {
            request.problems.add("blueprint is missing");
        }
        return request.submission(blueprint.orElse(""), client, headerKey, now);
    }

    /// The submission of a job of `blueprint`: `body` is its initial data, or an object with `initial_data` or
    /// `webhook_url` and what else can be said about a job.
    ///
    /// @throws HttpRefusal with all that is wrong
    static Submission readFor(
            String blueprint,
            JsonValue body,
            String client,
            @Nullable String headerKey,
            Instant now) {
        if (!(body instanceof JsonObject fields && isAbout(fields))) {
            var bare = new JobRequest(JsonObject.of("initial_data", body));
            return bare.submission(blueprint, client, headerKey, now);
        }
        var request = new JobRequest(fields);
        request.text("blueprint")
                .filter(name -> !name.equals(blueprint))
                .ifPresent(name ->
                        request.problems.add(
                                "blueprint is '"
                                        + name
                                        + "' here and '"
                                        + blueprint
                                        + "' in the path"));
        return request.submission(blueprint, client, headerKey, now);
    }

    /// Whether an object says more about a job than its initial data.
    private static boolean isAbout(JsonObject fields) {
        return fields.has("initial_data") || fields.has("webhook_url");
    }

    private Submission submission(
            String blueprint, String client, @Nullable String headerKey, Instant now) {
        fields.names().stream()
                .filter(name -> !FIELDS.contains(name))
                .forEach(name -> problems.add("unknown field " + name + "; there are " + FIELDS));
        var version = text("version");
        var key = idempotencyKey(headerKey);
        var priority = number("priority", -1e9, 1e9).orElse(0d);
        var deadline = deadline(now);
        var labels = labels();
        var grace =
                number("cancel_grace_seconds", 0, MAX_GRACE_SECONDS)
                        .map(JobRequest::seconds)
                        .orElse(JobOptions.DEFAULTS.cancelGrace());
        var webhooks = webhooks();
        if (!problems.isEmpty()) {
            throw HttpRefusal.invalidJson(String.join("; ", problems));
        }
        return new Submission(
                blueprint,
                version,
                client,
                fields.get("initial_data").orElse(JsonObject.EMPTY),
                key,
                new JobOptions(
                        priority,
                        deadline,
                        labels,
                        key.map(_ -> RequestDigest.of(blueprint, fields)),
                        grace,
                        webhooks,
                        Optional.empty()),
                ClientTerms.UNKNOWN);
    }

    /// An empty URL is none, as clients of the first generation send it.
    private List<Webhook> webhooks() {
        var url = text("webhook_url").filter(given -> !given.isEmpty());
        var occasions = occasions();
        if (url.isEmpty() && fields.has("webhook_events")) {
            problems.add("webhook_events says of what webhook_url is told, which is missing");
        }
        return url.map(given -> new Webhook(Webhook.OWN, url, occasions)).stream().toList();
    }

    private List<Occasion> occasions() {
        var given = fields.get("webhook_events");
        if (given.isEmpty()) {
            return List.of(Occasion.values());
        }
        var found = new ArrayList<Occasion>();
        if (given.get() instanceof JsonArray events) {
            for (var event : events) {
                if (event instanceof JsonString(var name) && Occasion.of(name).isPresent()) {
                    found.add(Occasion.of(name).get());
                }
            }
            if (found.size() == events.size() && !found.isEmpty()) {
                return found;
            }
        }
        problems.add(
                "webhook_events must be a list with some of "
                        + Arrays.stream(Occasion.values()).map(Occasion::text).toList());
        return found;
    }

    private Optional<String> idempotencyKey(@Nullable String headerKey) {
        var key = text("idempotency_key");
        if (headerKey != null && key.isPresent() && !key.get().equals(headerKey)) {
            problems.add("idempotency_key differs from the header Idempotency-Key");
        }
        var given = key.or(() -> Optional.ofNullable(headerKey));
        given.filter(text -> text.isEmpty() || text.length() > MAX_KEY)
                .ifPresent(text ->
                        problems.add(
                                "idempotency_key must have 1 to "
                                        + MAX_KEY
                                        + " characters, had "
                                        + text.length()));
        return given;
    }

    private Optional<Instant> deadline(Instant now) {
        var at = text("deadline").flatMap(this::instant);
        var after =
                number("deadline_seconds", 0.001, MAX_DEADLINE_SECONDS)
                        .map(seconds -> now.plus(seconds(seconds)));
        if (at.isPresent() && after.isPresent()) {
            problems.add("deadline and deadline_seconds exclude each other");
        }
        return at.or(() -> after);
    }

    private Optional<Instant> instant(String text) {
        try {
            var instant = Instant.parse(text);
            if (!instant.isBefore(Instant.EPOCH) && instant.isBefore(Values.LATEST)) {
                return Optional.of(instant.truncatedTo(ChronoUnit.MILLIS));
            }
        } catch (DateTimeException _) {
            // told below, together with instants that no clock of ours will see
        }
        problems.add(
                "deadline must be an instant such as 2030-01-31T12:00:00Z, was '"
                        + shortened(text)
                        + "'");
        return Optional.empty();
    }

    private SequencedMap<String, String> labels() {
        var labels = new LinkedHashMap<String, String>();
        var given = fields.get("labels");
        if (given.isEmpty()) {
            return labels;
        }
        if (!(given.get() instanceof JsonObject object)) {
            problems.add("labels must be an object, was " + given.get().kind());
            return labels;
        }
        if (object.size() > MAX_LABELS) {
            problems.add("labels must have at most " + MAX_LABELS + ", had " + object.size());
            return labels;
        }
        object.members()
                .forEach((name, value) -> {
                    if (name.isEmpty() || name.length() > MAX_LABEL) {
                        problems.add(
                                "labels: a name must have 1 to "
                                        + MAX_LABEL
                                        + " characters, had "
                                        + name.length());
                    } else if (!(value instanceof JsonString(var text))) {
                        problems.add("labels." + name + " must be a string, was " + value.kind());
                    } else if (text.length() > MAX_LABEL) {
                        problems.add(
                                "labels."
                                        + name
                                        + " must have at most "
                                        + MAX_LABEL
                                        + " characters, had "
                                        + text.length());
                    } else {
                        labels.put(name, text);
                    }
                });
        return labels;
    }

    private Optional<String> text(String name) {
        return fields.get(name)
                .flatMap(value -> {
                    if (value instanceof JsonString(var text)) {
                        return Optional.of(text);
                    }
                    problems.add(name + " must be a string, was " + value.kind());
                    return Optional.empty();
                });
    }

    private Optional<Double> number(String name, double min, double max) {
        return fields.get(name)
                .flatMap(value -> {
                    if (!(value instanceof JsonNumber number)) {
                        problems.add(name + " must be a number, was " + value.kind());
                        return Optional.empty();
                    }
                    var given = number.asDouble();
                    if (given < min || given > max) {
                        problems.add(
                                name
                                        + " must be from "
                                        + plain(min)
                                        + " to "
                                        + plain(max)
                                        + ", was "
                                        + shortened(number.toString()));
                        return Optional.empty();
                    }
                    return Optional.of(given);
                });
    }

    private static Duration seconds(double seconds) {
        return Duration.ofMillis(Math.round(seconds * 1000));
    }

    private static String plain(double number) {
        return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
    }

    private static String shortened(String text) {
        return text.length() > 40 ? text.substring(0, 40) + "..." : text;
    }
}
