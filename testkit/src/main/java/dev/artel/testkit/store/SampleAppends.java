package dev.artel.testkit.store;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.job.BlueprintRef;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobEvent.JobEnded;
import dev.artel.kernel.job.JobEvent.JobSubmitted;
import dev.artel.kernel.job.JobEvent.StateEntered;
import dev.artel.kernel.job.JobEvent.StepDone;
import dev.artel.kernel.job.JobEvent.TaskSucceeded;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.job.JobSpec;
import dev.artel.kernel.store.Append;
import dev.artel.kernel.store.JobRow;
import dev.artel.kernel.store.StreamId;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/// Appends of made-up jobs, as plain as they can be.
///
/// @param blueprint the name in the rows
/// @param client the name in the rows
/// @param labels those in the rows
/// @param error the one in the rows
/// @param submitted the one in the rows
/// @param parent the one in the rows
public record SampleAppends(
        String blueprint,
        String client,
        SequencedMap<String, String> labels,
        Optional<String> error,
        Instant submitted,
        Optional<JobId> parent) {
    /// When each of the jobs was submitted.
    public static final Instant SUBMITTED = Instant.ofEpochMilli(1_700_000_000_000L);

    /// Jobs of one blueprint and client, without labels.
    public static final SampleAppends PLAIN =
            new SampleAppends(
                    "sample",
                    "tester",
                    new LinkedHashMap<>(),
                    Optional.empty(),
                    SUBMITTED,
                    Optional.empty());

    /// These, with another blueprint.
    public SampleAppends withBlueprint(String name) {
        return new SampleAppends(name, client, labels, error, submitted, parent);
    }

    /// These, with another client.
    public SampleAppends withClient(String name) {
        return new SampleAppends(blueprint, name, labels, error, submitted, parent);
    }

    /// These, with another label.
    public SampleAppends withLabel(String name, String value) {
        var more = new LinkedHashMap<>(labels);
        more.put(name, value);
        return new SampleAppends(blueprint, client, more, error, submitted, parent);
    }

    /// These, with an error message.
    public SampleAppends withError(String message) {
        return new SampleAppends(
                blueprint, client, labels, Optional.of(message), submitted, parent);
    }

    /// These, submitted at another time, as in their rows.
    public SampleAppends submittedAt(Instant at) {
        return new SampleAppends(blueprint, client, labels, error, at, parent);
    }

    /// These, started by another job.
    public SampleAppends withParent(String job) {
        return new SampleAppends(
                blueprint, client, labels, error, submitted, Optional.of(new JobId(job)));
    }

    /// The first two events of the job `id`, which then runs.
    public Append submit(String id) {
        return new Append(streamOf(id), 0, submission(), row(id, "running", false, SUBMITTED));
    }

    /// The first event of the job `id`, and one that has `much` in it.
    public Append submitWith(String id, JsonValue much) {
        var first = submit(id);
        var success =
                new TaskSucceeded(0, new LeaseToken("t"), "success", Payload.of(much), SUBMITTED);
        return new Append(
                first.stream(), 0, List.of(first.events().getFirst(), success), first.row());
    }

    /// One more event of a job at version `expected`.
    public Append step(String id, long expected) {
        var at = SUBMITTED.plusMillis(expected);
        return new Append(
                streamOf(id), expected, List.of(stepDone(expected)), row(id, "running", false, at));
    }

    /// The last event of a job at version `expected`, which is then closed.
    public Append end(String id, long expected) {
        return end(id, expected, SUBMITTED.plusMillis(expected));
    }

    /// The last event of a job at version `expected`, which is closed at `at`.
    public Append end(String id, long expected, Instant at) {
        var ended = new JobEnded(new JobOutcome.Finished(Payload.EMPTY), at);
        return new Append(streamOf(id), expected, List.of(ended), row(id, "finished", true, at));
    }

    /// The last event of a job at version `expected`, whose result is a large value.
    public Append endWith(String id, long expected, Payload.Ref result) {
        var at = SUBMITTED.plusMillis(expected);
        var ended = new JobEnded(new JobOutcome.Finished(result), at);
        return new Append(streamOf(id), expected, List.of(ended), row(id, "finished", true, at));
    }

    /// An append that no store takes: its row is of another job.
    public Append refused(String id) {
        return new Append(
                streamOf(id), 0, submission(), row(id + "-other", "running", false, SUBMITTED));
    }

    /// The stream of the job `id`.
    public static StreamId streamOf(String id) {
        return StreamId.of(new JobId(id));
    }

    private List<JobEvent> submission() {
        var spec =
                new JobSpec(
                        new BlueprintRef(blueprint, "1", "graph"),
                        "start",
                        client,
                        JobData.of(JsonObject.of("name", JsonObject.EMPTY)),
                        JobOptions.DEFAULTS,
                        JobSpec.CURRENT_RULES);
        return List.of(
                new JobSubmitted(spec, SUBMITTED),
                new StateEntered(0, "start", new StepCause.Started(), SUBMITTED));
    }

    private static JobEvent stepDone(long number) {
        return new StepDone(
                0, new EffectId(number, 0), JobData.EMPTY, List.of(), SUBMITTED.plusMillis(number));
    }

    private JobRow row(String id, String status, boolean closed, Instant updated) {
        return new JobRow(
                new JobId(id),
                blueprint,
                client,
                "start",
                status,
                closed,
                0,
                labels,
                submitted,
                updated,
                error,
                parent);
    }
}
