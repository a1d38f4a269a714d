package dev.artel.schedule.text;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.job.JobId;
import dev.artel.schedule.rules.ScheduleBackfill;
import dev.artel.schedule.rules.ScheduleDefinition;
import dev.artel.schedule.rules.ScheduleState;
import dev.artel.schedule.rules.ScheduledRun;
import dev.artel.schedule.rules.ScheduledRun.Phase;
import dev.artel.schedule.timing.Timing;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Schedules and their states as they are kept.
public final class ScheduleCodec {
    private ScheduleCodec() {}

    /// What people wrote, as a body of the API.
    public static JsonObject written(ScheduleDefinition schedule) {
        var job = schedule.job();
        var policy = schedule.policy();
        var json = JsonObject.builder().put("blueprint", job.blueprint());
        job.version().ifPresent(version -> json.put("version", version));
        json.put("client", job.client()).put("input", job.input());
        json.put("timing", timing(schedule.timing()));
        job.priority().ifPresent(priority -> json.put("priority", JsonNumber.of(priority)));
        var labels = JsonObject.builder();
        job.labels().forEach(labels::put);
        json.put("labels", labels.build());
        job.deadline().ifPresent(it -> json.put("deadline_seconds", it.toSeconds()));
        schedule.starts().ifPresent(it -> json.put("starts_at", it.toString()));
        schedule.ends().ifPresent(it -> json.put("ends_at", it.toString()));
        json.put("overlap", policy.overlap().toString())
                .put("queue_limit", policy.queueLimit())
                .put("catch_up", policy.catchUp().toString())
                .put("catch_up_limit", policy.catchUpLimit())
                .put("catch_up_window_seconds", policy.catchUpWindow().toSeconds())
                .put("jitter_seconds", policy.jitter().toSeconds())
                .put("submit_attempts", policy.attempts());
        policy.startWithin().ifPresent(it -> json.put("start_within_seconds", it.toSeconds()));
        return json.build();
    }

    private static JsonObject timing(Timing timing) {
        return switch (timing) {
            case Timing.Cron(var expression, var zone) ->
                    JsonObject.of(
                            "cron",
                            JsonValue.of(expression.toString()),
                            "zone",
                            JsonValue.of(zone.getId()));
            case Timing.Interval(var every, var anchor) ->
                    JsonObject.builder()
                            .put("every_seconds", every.toSeconds())
                            .put("anchor", anchor.toString())
                            .build();
            case Timing.Once(var at) -> JsonObject.of("at", JsonValue.of(at.toString()));
        };
    }

    /// A schedule as it is kept.
    public static JsonObject encode(ScheduleDefinition schedule) {
        return JsonObject.builder()
                .put("id", schedule.id())
                .put("revision", schedule.revision())
                .put("origin", schedule.origin().toString())
                .put("by", schedule.by())
                .put("changed_by", schedule.changedBy())
                .put("created", schedule.created().toString())
                .put("timing_since", schedule.timingSince().toString())
                .put("written", written(schedule))
                .build();
    }

    /// The schedule that was kept under `name`.
    ///
    /// @throws IllegalArgumentException if it cannot be read
    public static ScheduleDefinition schedule(String name, JsonObject kept) {
        var origin =
                ScheduleDefinition.Origin.valueOf(text(kept, "origin").toUpperCase(Locale.ROOT));
        var context =
                new ScheduleReader.Context(
                        origin,
                        text(kept, "id"),
                        "",
                        ZoneOffset.UTC,
                        text(kept, "by"),
                        instant(kept, "created"));
        var written = kept.object("written").orElse(JsonObject.EMPTY);
        return switch (ScheduleReader.body(name, written, context)) {
            case ScheduleReader.Reading.Invalid(var problems) ->
                    throw new IllegalArgumentException(String.join("; ", problems));
            case ScheduleReader.Reading.Read(var read) ->
                    new ScheduleDefinition(
                            name,
                            read.id(),
                            number(kept, "revision"),
                            origin,
                            read.job(),
                            read.timing(),
                            read.policy(),
                            read.starts(),
                            read.ends(),
                            read.by(),
                            kept.string("changed_by").orElse(read.by()),
                            read.created(),
                            instant(kept, "timing_since"));
        };
    }

    /// A state as it is kept.
    public static JsonObject encode(ScheduleState state) {
        var json =
                JsonObject.builder()
                        .put("schedule", state.schedule())
                        .put("cursor", state.cursor().toString())
                        .put("last", state.last());
        state.paused().ifPresent(pause -> json.put("paused", encode(pause)));
        json.put(
                "runs",
                new JsonArray(
                        state.runs().stream().<JsonValue>map(ScheduleCodec::encode).toList()));
        json.put(
                "backfills",
                new JsonArray(
                        state.backfills().stream().<JsonValue>map(ScheduleCodec::encode).toList()));
        return json.build();
    }

    /// A pause, as the API shows it.
    public static JsonObject encode(ScheduleState.Pause pause) {
        var json = JsonObject.builder().put("by", pause.by()).put("at", pause.at().toString());
        pause.reason().ifPresent(reason -> json.put("reason", reason));
        return json.build();
    }

    private static JsonObject encode(ScheduleBackfill backfill) {
        return JsonObject.builder()
                .put("number", backfill.number())
                .put("from", backfill.from().toString())
                .put("until", backfill.until().toString())
                .put("together", backfill.isTogether())
                .put("by", backfill.by())
                .build();
    }

    /// A run, as the API shows it.
    public static JsonObject encode(ScheduledRun run) {
        var json =
                JsonObject.builder()
                        .put("number", run.number())
                        .put("kind", run.kind().toString())
                        .put("tick", run.tick().toString())
                        .put("decided_at", run.decided().toString());
        run.by().ifPresent(by -> json.put("by", by));
        run.request().ifPresent(request -> json.put("request", request));
        switch (run.phase()) {
            case Phase.Queued _ -> json.put("status", "queued");
            case Phase.Due due -> {
                json.put("status", "due")
                        .put("attempts", due.attempts())
                        .put("not_before", due.notBefore().toString());
                due.error().ifPresent(error -> json.put("error", error));
                if (!due.cancels().isEmpty()) {
                    json.put(
                            "cancels",
                            JsonArray.ofStrings(due.cancels().stream().map(JobId::value).toList()));
                }
                if (due.isOpen()) {
                    json.put("outcome_unknown", true);
                }
            }
            case Phase.Submitted(var job) ->
                    json.put("status", "submitted").put("job_id", job.value());
            case Phase.Ended(var job, var status) ->
                    json.put("status", "ended")
                            .put("job_id", job.value())
                            .put("job_status", status);
            case Phase.Skipped(var reason, var ticks) ->
                    json.put("status", "skipped").put("reason", reason).put("ticks", ticks);
            case Phase.Refused(var error, var attempts) ->
                    json.put("status", "refused").put("error", error).put("attempts", attempts);
        }
        return json.build();
    }

    /// The state that was kept.
    ///
    /// @throws IllegalArgumentException if it cannot be read
    public static ScheduleState state(JsonObject kept) {
        return new ScheduleState(
                text(kept, "schedule"),
                instant(kept, "cursor"),
                kept.object("paused")
                        .map(pause ->
                                new ScheduleState.Pause(
                                        text(pause, "by"),
                                        instant(pause, "at"),
                                        pause.string("reason"))),
                objects(kept, "runs").stream().map(ScheduleCodec::run).toList(),
                objects(kept, "backfills").stream()
                        .map(one ->
                                new ScheduleBackfill(
                                        number(one, "number"),
                                        instant(one, "from"),
                                        instant(one, "until"),
                                        isTrue(one, "together"),
                                        text(one, "by")))
                        .toList(),
                number(kept, "last"));
    }

    private static ScheduledRun run(JsonObject kept) {
        var phase =
                switch (text(kept, "status")) {
                    case "queued" -> new Phase.Queued();
                    case "due" ->
                            new Phase.Due(
                                    (int) number(kept, "attempts"),
                                    kept.string("error"),
                                    instant(kept, "not_before"),
                                    cancels(kept),
                                    isTrue(kept, "outcome_unknown"));
                    case "submitted" -> new Phase.Submitted(new JobId(text(kept, "job_id")));
                    case "ended" ->
                            new Phase.Ended(
                                    new JobId(text(kept, "job_id")), text(kept, "job_status"));
                    case "skipped" ->
                            new Phase.Skipped(text(kept, "reason"), (int) number(kept, "ticks"));
                    case "refused" ->
                            new Phase.Refused(text(kept, "error"), (int) number(kept, "attempts"));
                    case String other ->
                            throw new IllegalArgumentException(
                                    "a run has the unknown status '" + other + "'");
                };
        return new ScheduledRun(
                number(kept, "number"),
                ScheduledRun.Kind.valueOf(text(kept, "kind").toUpperCase(Locale.ROOT)),
                instant(kept, "tick"),
                instant(kept, "decided_at"),
                kept.string("by"),
                kept.string("request"),
                phase);
    }

    private static List<JobId> cancels(JsonObject kept) {
        return kept.array("cancels").stream()
                .flatMap(JsonArray::stream)
                .map(each -> new JobId(((JsonString) each).value()))
                .toList();
    }

    private static List<JsonObject> objects(JsonObject kept, String name) {
        return kept.array(name).stream()
                .flatMap(JsonArray::stream)
                .map(each -> (JsonObject) each)
                .toList();
    }

    private static boolean isTrue(JsonObject kept, String name) {
        return kept.get(name).equals(Optional.of(JsonValue.of(true)));
    }

    private static String text(JsonObject kept, String name) {
        return kept.string(name)
                .orElseThrow(() -> new IllegalArgumentException("member " + name + " is missing"));
    }

    private static Instant instant(JsonObject kept, String name) {
        return Instant.parse(text(kept, name));
    }

    private static long number(JsonObject kept, String name) {
        return kept.number(name)
                .map(JsonNumber::asLong)
                .orElseThrow(() -> new IllegalArgumentException("member " + name + " is missing"));
    }
}
