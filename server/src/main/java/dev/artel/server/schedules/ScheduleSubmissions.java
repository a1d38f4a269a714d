package dev.artel.server.schedules;

import dev.artel.access.AccessControl;
import dev.artel.access.Caller;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.engine.Engine;
import dev.artel.kernel.engine.Submission;
import dev.artel.kernel.job.ClientPlan;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.JobRow;
import dev.artel.kernel.store.StoreException;
import dev.artel.kernel.store.ValueTooLarge;
import dev.artel.schedule.ScheduledJobs;
import dev.artel.schedule.rules.JobTemplate;
import dev.artel.schedule.rules.ScheduleDefinition;
import dev.artel.schedule.rules.ScheduledRun;
import dev.artel.schedule.rules.TickInput;
import dev.artel.server.api.submit.SubmissionGate;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Submits the jobs of schedules as their clients would: with the same quotas, limits and priorities.
public final class ScheduleSubmissions implements ScheduledJobs {
    /// The same for each submission of a tick, whatever has become of the schedule since.
    private static final Optional<String> DIGEST = Optional.of("schedule");

    /// What is wrong with the submission itself stays so.
    private static final List<ErrorCode> FINAL =
            List.of(
                    ErrorCode.INVALID_INITIAL_DATA,
                    ErrorCode.IDEMPOTENCY_KEY_REUSED,
                    ErrorCode.JOB_OVER);

    private static final int UNAVAILABLE = 503;

    private final AccessControl accessControl;
    private final SubmissionGate gate;
    private final Engine engine;
    private final EventStore store;
    private final InstantSource clock;

    /// Submits through `gate` to `engine`.
    public ScheduleSubmissions(
            AccessControl accessControl,
            SubmissionGate gate,
            Engine engine,
            EventStore store,
            InstantSource clock) {
        this.accessControl = accessControl;
        this.gate = gate;
        this.engine = engine;
        this.store = store;
        this.clock = clock;
    }

    @Override
    public Outcome submit(ScheduleDefinition schedule, ScheduledRun run) {
        var caller = accessControl.client(schedule.job().client());
        if (caller.isEmpty()) {
            return new Outcome.Refused(
                    "there is no client '"
                            + schedule.job().client()
                            + "' any more; add it to clients.toml, or write the schedule for another"
                            + " one",
                    false);
        }
        if (!caller.get().maySubmit()) {
            return new Outcome.Refused(
                    "client '" + schedule.job().client() + "' may not submit jobs", false);
        }
        try {
            return new Outcome.Submitted(
                    gate.accept(
                            submission(schedule, run, caller.get()),
                            Optional.empty(),
                            caller.get()));
        } catch (HttpRefusal refusal) {
            return refused(refusal);
        } catch (ValueTooLarge tooLarge) {
            return new Outcome.Refused(String.valueOf(tooLarge.getMessage()), true);
        } catch (StoreException away) {
            return new Outcome.Unknown(String.valueOf(away.getMessage()));
        }
    }

    private static Outcome refused(HttpRefusal refusal) {
        var reason = refusal.reason();
        var error =
                reason.string("detail")
                        .or(() -> reason.string("error"))
                        .orElseGet(() -> String.valueOf(refusal.getMessage()));
        var code = reason.string("code").orElse("");
        return refusal.status() == UNAVAILABLE
                ? new Outcome.Unknown(error)
                : new Outcome.Refused(
                        error, FINAL.stream().anyMatch(each -> each.text().equals(code)));
    }

    private Submission submission(ScheduleDefinition schedule, ScheduledRun run, Caller caller) {
        var job = schedule.job();
        var labels = new LinkedHashMap<>(job.labels());
        labels.put(JobTemplate.SCHEDULE_LABEL, schedule.name());
        labels.put(JobTemplate.TICK_LABEL, run.tick().toString());
        return new Submission(
                job.blueprint(),
                job.version(),
                caller.name(),
                TickInput.of(schedule, run.tick()),
                Optional.of(run.key(schedule.id())),
                new JobOptions(
                                Math.min(
                                        job.priority().orElse(JobOptions.DEFAULTS.priority()),
                                        caller.maxPriority()),
                                job.deadline().map(clock.instant()::plus),
                                labels,
                                DIGEST,
                                JobOptions.DEFAULTS.cancelGrace())
                        .requestedAlsoBy(people(schedule, run)),
                ClientPlan.UNKNOWN);
    }

    /// Who had a part in the submission: who wrote the schedule, and who asked for the run.
    private static List<String> people(ScheduleDefinition schedule, ScheduledRun run) {
        var client = "client " + schedule.job().client();
        return Stream.concat(Stream.of(schedule.by(), schedule.changedBy()), run.by().stream())
                .filter(by -> !by.equals(client))
                .toList();
    }

    @Override
    public Optional<String> cancel(JobId job, String reason) {
        return switch (engine.cancel(job, reason)) {
            case CommandReply.Done _ -> Optional.empty();
            // It is over, or there is none any more.
            case CommandReply.Refused _ -> Optional.empty();
            case CommandReply.TryLater(var _, var detail) -> Optional.of(detail);
        };
    }

    @Override
    public Optional<String> end(JobId job) {
        var live = engine.live(job);
        if (live.isPresent()) {
            return live.filter(Job::isFinal).map(Job::status);
        }
        var row = store.find(job);
        return row.isPresent()
                ? row.filter(JobRow::isFinal).map(JobRow::status)
                : Optional.of("deleted");
    }
}
