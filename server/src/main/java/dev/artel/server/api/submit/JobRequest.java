package dev.artel.server.api.submit;

import dev.artel.access.Caller;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import dev.artel.kernel.branch.Signals;
import dev.artel.kernel.engine.Submission;
import dev.artel.kernel.job.ClientPlan;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.job.JobPatch;
import dev.artel.kernel.webhook.Webhook;
import dev.artel.kernel.webhook.WebhookEventType;
import dev.artel.server.api.http.ApiJson;
import dev.artel.server.api.http.UnknownNames;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/// What a client asks for when it submits a job. All problems are reported together.
public final class JobRequest {
    private static final String BUDGET = "budget";
    private static final String SIGNAL = "signal";
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
                    "webhook_events",
                    BUDGET,
                    SIGNAL);
    private static final List<String> OF_A_SIGNAL = List.of("name", "id", "payload");
    private static final String LABEL = "label";
    private static final List<String> NUMBERS =
            List.of("priority", "deadline_seconds", "cancel_grace_seconds");
    private static final List<String> QUERY =
            List.of(
                    "version",
                    "priority",
                    "deadline",
                    "deadline_seconds",
                    LABEL,
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
    static Submission read(JsonValue body, Caller caller, @Nullable String headerKey, Instant now) {
        if (!(body instanceof JsonObject fields)) {
            throw new HttpRefusal(
                    ErrorCode.INVALID_BODY,
                    "Invalid job",
                    "the body must be an object, was " + body.kind());
        }
        var request = new JobRequest(fields);
        var blueprint = request.text("blueprint");
        if (blueprint.isEmpty() && !fields.has("blueprint")) {
            request.problems.add("blueprint is missing");
        }
        return request.submission(blueprint.orElse(""), caller, headerKey, now);
    }

    /// The submission of a job of `blueprint`: `body` is its initial data, whatever it looks like. So a client that
    /// forwards what its user sent lets that user decide nothing else about the job.
    ///
    /// @param options what else is set for the job, by the parameters of the query
    /// @throws HttpRefusal with all that is wrong
    static Submission readData(
            String blueprint,
            JsonValue body,
            Map<String, List<String>> options,
            Caller caller,
            @Nullable String headerKey,
            Instant now) {
        var problems = new ArrayList<String>();
        var fields = JsonObject.builder().putAll(options(options, problems));
        var request = new JobRequest(fields.put("initial_data", body).build());
        request.problems.addAll(problems);
        return request.submission(blueprint, caller, headerKey, now);
    }

    /// What `body` changes of a job of `caller`: a JSON merge patch (RFC 7396) of its priority and its labels, where null
    /// removes a label.
    ///
    /// @throws HttpRefusal with all that is wrong
    public static JobPatch readPatch(JsonObject body, Caller caller) {
        var labels = body.object("labels").orElse(JsonObject.EMPTY);
        var removed =
                labels.names().stream()
                        .filter(name -> labels.get(name).orElseThrow() instanceof JsonNull)
                        .toList();
        var kept = JsonObject.builder();
        labels.members()
                .forEach((name, value) -> {
                    if (!(value instanceof JsonNull)) {
                        kept.put(name, value);
                    }
                });
        var request =
                new JobRequest(
                        body.object("labels").isPresent()
                                ? body.with("labels", kept.build())
                                : body);
        var patch =
                new JobPatch(
                        request.askedPriority(caller).filter(Double::isFinite),
                        request.labels(),
                        removed);
        if (!request.problems.isEmpty()) {
            throw new HttpRefusal(
                    ErrorCode.INVALID_BODY, "Invalid change", String.join("; ", request.problems));
        }
        return patch;
    }

    private static JsonObject options(Map<String, List<String>> query, List<String> problems) {
        var options = JsonObject.builder();
        UnknownNames.in(query.keySet(), QUERY, "parameter", "", "").ifPresent(problems::add);
        query.forEach((name, values) -> {
            if (!QUERY.contains(name)) {
                return;
            }
            if (name.equals(LABEL)) {
                options.put("labels", labels(values, problems));
            } else if (values.size() != 1) {
                problems.add("parameter " + name + " must be there once");
            } else if (name.equals("webhook_events")) {
                options.put(name, ApiJson.texts(List.of(values.getFirst().split(",", -1))));
            } else {
                options.put(
                        name, NUMBERS.contains(name) ? number(values.getFirst()) : text(values));
            }
        });
        return options.build();
    }

    private static JsonObject labels(List<String> values, List<String> problems) {
        var labels = new LinkedHashMap<String, JsonValue>();
        for (var value : values) {
            var mark = value.indexOf('=');
            if (mark < 0 || labels.containsKey(value.substring(0, mark))) {
                problems.add(
                        "label must be NAME=VALUE, each name once, was '" + shortened(value) + "'");
            } else {
                labels.put(value.substring(0, mark), JsonValue.of(value.substring(mark + 1)));
            }
        }
        return new JsonObject(labels);
    }

    private static JsonValue text(List<String> values) {
        return JsonValue.of(values.getFirst());
    }

    /// What is no number stays a text, and is reported as such.
    private static JsonValue number(String text) {
        try {
            return JsonText.read(text) instanceof JsonNumber number ? number : JsonValue.of(text);
        } catch (MalformedJson _) {
            return JsonValue.of(text);
        }
    }

    /// The submission of a job of `blueprint` by a client of the first generation: `body` is its initial data, or an object
    /// with `initial_data` or `webhook_url` and what else can be set for a job.
    ///
    /// @throws HttpRefusal with all that is wrong
    static Submission guessFor(
            String blueprint,
            JsonValue body,
            Caller caller,
            @Nullable String headerKey,
            Instant now) {
        if (!(body instanceof JsonObject fields && isAbout(fields))) {
            var bare = new JobRequest(JsonObject.of("initial_data", body));
            return bare.submission(blueprint, caller, headerKey, now);
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
        return request.submission(blueprint, caller, headerKey, now);
    }

    /// Whether an object sets more of a job than its initial data.
    private static boolean isAbout(JsonObject fields) {
        return fields.has("initial_data") || fields.has("webhook_url");
    }

    private Submission submission(
            String blueprint, Caller caller, @Nullable String headerKey, Instant now) {
        UnknownNames.in(fields.names(), FIELDS, "field", "", "").ifPresent(problems::add);
        var version = text("version");
        var key = idempotencyKey(headerKey);
        var priority = priority(caller);
        var deadline = deadline(now);
        var labels = labels();
        var grace =
                number("cancel_grace_seconds", 0, MAX_GRACE_SECONDS)
                        .map(JobRequest::seconds)
                        .orElse(JobOptions.DEFAULTS.cancelGrace());
        var webhooks = webhooks();
        var signal = signal(key.isPresent());
        var budget = fields.get(BUDGET).flatMap(given -> BudgetMember.read(given, problems));
        if (!problems.isEmpty()) {
            throw new HttpRefusal(
                    ErrorCode.INVALID_BODY, "Invalid job", String.join("; ", problems));
        }
        var submission =
                new Submission(
                        blueprint,
                        version,
                        caller.name(),
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
                        ClientPlan.UNKNOWN);
        var limited = budget.map(submission::withBudget).orElse(submission);
        return signal.map(limited::withSignal).orElse(limited);
    }

    /// What the job receives with its submission.
    private Optional<Submission.Signal> signal(boolean hasKey) {
        var given = fields.get(SIGNAL);
        if (given.isEmpty()) {
            return Optional.empty();
        }
        if (!(given.get() instanceof JsonObject signal)) {
            problems.add("signal must be an object, was " + given.get().kind());
            return Optional.empty();
        }
        if (!hasKey) {
            problems.add(
                    "signal needs an idempotency_key, which names the job that is to receive it; without"
                            + " one, send it with POST /api/v1/jobs/{id}/signals/{signal}");
        }
        UnknownNames.in(signal.names(), OF_A_SIGNAL, "field", "signal.", "")
                .ifPresent(problems::add);
        var name = signal.string("name").orElse("");
        if (!Signals.isName(name)) {
            problems.add("signal.name must have 1 to 100 letters, digits, '-', '_' or '.'");
        }
        var id = signal.string("id").orElse("");
        if (id.isBlank() || id.length() > Signals.LONGEST_ID) {
            problems.add(
                    "signal.id must be a text of 1 to "
                            + Signals.LONGEST_ID
                            + " characters; the same id again changes nothing");
        }
        return Optional.of(
                new Submission.Signal(name, id, signal.get("payload").orElse(JsonNull.NULL)));
    }

    /// That of most jobs unless it sets one, as far as its client may.
    private double priority(Caller caller) {
        return askedPriority(caller)
                .orElseGet(() -> Math.min(JobOptions.DEFAULTS.priority(), caller.maxPriority()));
    }

    private Optional<Double> askedPriority(Caller caller) {
        var asked = number("priority", -1e9, 1e9);
        var most = caller.maxPriority();
        asked.filter(it -> it > most)
                .ifPresent(it ->
                        problems.add(
                                "priority must be at most "
                                        + plain(most)
                                        + " for jobs of client "
                                        + caller.name()
                                        + ", was "
                                        + plain(it)
                                        + "; ask for less, or raise max_priority in clients.toml"));
        return asked;
    }

    /// An empty URL is none, as clients of the first generation send it.
    private List<Webhook> webhooks() {
        var url = text("webhook_url").filter(given -> !given.isEmpty());
        var webhookEventTypes = eventTypes();
        if (url.isEmpty() && fields.has("webhook_events")) {
            problems.add("webhook_events chooses the calls of webhook_url, which is missing");
        }
        return url.map(given -> new Webhook(Webhook.OWN, url, webhookEventTypes)).stream().toList();
    }

    private List<WebhookEventType> eventTypes() {
        var given = fields.get("webhook_events");
        if (given.isEmpty()) {
            return List.of(WebhookEventType.values());
        }
        var found = new ArrayList<WebhookEventType>();
        if (given.get() instanceof JsonArray events) {
            for (var event : events) {
                if (event instanceof JsonString(var name)
                        && WebhookEventType.of(name).isPresent()) {
                    found.add(WebhookEventType.of(name).get());
                }
            }
            if (found.size() == events.size() && !found.isEmpty()) {
                return found;
            }
        }
        problems.add(
                "webhook_events must be a list with some of "
                        + Arrays.stream(WebhookEventType.values())
                                .map(WebhookEventType::text)
                                .toList());
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
            if (!instant.isBefore(Instant.EPOCH) && instant.isBefore(ApiJson.LATEST)) {
                return Optional.of(instant.truncatedTo(ChronoUnit.MILLIS));
            }
        } catch (DateTimeException _) {
            // reported below, together with instants that no clock of ours will see
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
        return number == (long) number ? Long.toString((long) number) : Double.toString(number);
    }

    private static String shortened(String text) {
        return text.length() > 40 ? text.substring(0, 40) + "..." : text;
    }
}
