package dev.artel.server.api.schedules;

import dev.artel.access.AccessControl;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.engine.Submission;
import dev.artel.kernel.job.ClientPlan;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.JobRow;
import dev.artel.schedule.Scheduler;
import dev.artel.schedule.rules.ScheduleDefinition;
import dev.artel.schedule.rules.ScheduleExplanation;
import dev.artel.schedule.rules.ScheduleRules;
import dev.artel.schedule.rules.ScheduledRun;
import dev.artel.schedule.rules.TickInput;
import dev.artel.schedule.text.ScheduleCodec;
import dev.artel.server.api.access.Lifecycle;
import dev.artel.server.api.http.ApiJson;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// What the API shows of schedules.
final class ScheduleDocument {
    private static final int NEXT = 5;

    private final Lifecycle lifecycle;
    private final EventStore store;
    private final AccessControl accessControl;

    ScheduleDocument(Lifecycle lifecycle, EventStore store, AccessControl accessControl) {
        this.lifecycle = lifecycle;
        this.store = store;
        this.accessControl = accessControl;
    }

    /// One of a list: its input is not compared with what its blueprint wants, since that runs an author's code.
    JsonObject listed(Scheduler.View view, Instant now) {
        return of(view, now, obstacle(view.schedule()));
    }

    /// One that is written or asked for.
    JsonObject of(Scheduler.View view, Instant now) {
        var schedule = view.schedule();
        return of(view, now, obstacle(schedule).or(() -> misfit(schedule, now)));
    }

    private JsonObject of(Scheduler.View view, Instant now, Optional<String> obstacle) {
        var schedule = view.schedule();
        var state = view.state();
        var json =
                JsonObject.builder()
                        .put("name", schedule.name())
                        .putAll(ScheduleCodec.written(schedule))
                        .put("origin", schedule.origin().toString())
                        .put("revision", schedule.revision())
                        .put("created_by", schedule.by())
                        .put("changed_by", schedule.changedBy())
                        .put("created_at", ApiJson.of(schedule.created()));
        state.paused().ifPresent(pause -> json.put("paused", ScheduleCodec.encode(pause)));
        var sights = sights(view, now, obstacle);
        json.put(
                "next", new JsonArray(sights.next().stream().<JsonValue>map(ApiJson::of).toList()));
        if (!state.runs().isEmpty()) {
            json.put("last", of(state.runs().getLast()));
        }
        json.put("backfills", state.backfills().size());
        json.put("explanation", sights.explanation());
        return json.build();
    }

    /// What a schedule comes to.
    private record Sights(List<Instant> next, String explanation) {}

    /// A schedule whose times cannot be calculated is shown as that, and the others of a list as they are.
    private Sights sights(Scheduler.View view, Instant now, Optional<String> obstacle) {
        var schedule = view.schedule();
        var state = view.state();
        try {
            return new Sights(
                    ScheduleRules.upcoming(schedule, state, now, NEXT),
                    view.trouble()
                            .map(trouble -> "Nothing runs until this is mended: " + trouble + ".")
                            .orElseGet(() ->
                                    ScheduleExplanation.of(
                                            schedule, state, obstacle, this::isOver, now)));
        } catch (DateTimeException | ArithmeticException wrong) {
            return new Sights(
                    List.of(),
                    "Nothing runs, since its times cannot be calculated: "
                            + wrong.getMessage()
                            + ". Write it with another timing.");
        }
    }

    /// A run; that of a job which had not ended has the status of the job as it is now.
    JsonObject of(ScheduledRun run) {
        var json = ScheduleCodec.encode(run);
        return run.phase() instanceof ScheduledRun.Phase.Submitted(var job)
                ? json.with("job_status", JsonValue.of(status(job)))
                : json;
    }

    private boolean isOver(JobId job) {
        return store.find(job).map(JobRow::isFinal).orElse(true);
    }

    private String status(JobId job) {
        return store.find(job).map(JobRow::status).orElse("deleted");
    }

    /// What keeps the input from fitting the blueprint: it is refused at each tick.
    private Optional<String> misfit(ScheduleDefinition schedule, Instant now) {
        var job = schedule.job();
        var problems =
                lifecycle
                        .engine()
                        .mismatches(
                                new Submission(
                                        job.blueprint(),
                                        job.version(),
                                        job.client(),
                                        TickInput.of(schedule, now),
                                        Optional.empty(),
                                        JobOptions.DEFAULTS,
                                        ClientPlan.UNKNOWN));
        return problems.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "its input does not fit blueprint '"
                                + job.blueprint()
                                + "': "
                                + String.join("; ", problems));
    }

    private Optional<String> obstacle(ScheduleDefinition schedule) {
        var job = schedule.job();
        var blueprints = lifecycle.engine().blueprints();
        var isKnown =
                job.version()
                        .map(version -> blueprints.find(job.blueprint(), version))
                        .orElseGet(() -> blueprints.find(job.blueprint()))
                        .isPresent();
        if (!isKnown) {
            return Optional.of(
                    "there is no blueprint '"
                            + job.blueprint()
                            + "'"
                            + job.version().map(it -> " in version " + it).orElse(""));
        }
        return accessControl.client(job.client()).isEmpty()
                ? Optional.of("there is no client '" + job.client() + "'")
                : Optional.empty();
    }
}
