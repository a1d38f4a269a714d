package dev.artel.kernel.blueprint;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.Outcomes;
import java.util.Optional;
import java.util.function.Supplier;

/// How one of the children ended that [Action#runBlueprints] ran. Its result is read from the store by each call and not
/// cached. Safe for use by many threads.
public final class ChildResult {
    private final int index;
    private final JobId job;
    private final String outcome;
    private final Supplier<JsonObject> report;

    /// The end of the child `job`.
    ///
    /// @param report reads what it reported: `result`, if it has finished, and `error_message`, if it has not
    public ChildResult(int index, JobId job, String outcome, Supplier<JsonObject> report) {
        this.index = index;
        this.job = job;
        this.outcome = outcome;
        this.report = report;
    }

    /// The same child at another place.
    public ChildResult at(int place) {
        return new ChildResult(place, job, outcome, report);
    }

    /// Its place among the children, from 0: that of its initial data.
    public int index() {
        return index;
    }

    /// The child.
    public JobId job() {
        return job;
    }

    /// [Outcomes#FINISHED], [Outcomes#FAILED], [Outcomes#CANCELLED] or [ChildReport#QUARANTINED]. One that was no longer wanted before it
    /// had begun or ended counts as cancelled, one that could not begin as failed.
    public String outcome() {
        return outcome;
    }

    /// Whether it has finished.
    public boolean hasFinished() {
        return outcome.equals(Outcomes.FINISHED);
    }

    /// What it has brought; empty unless it has finished, and if its result was too large to be handed on.
    public Optional<JsonValue> result() {
        return report.get().get("result");
    }

    /// Why it has not finished, as far as is known, or why its result was not handed on.
    public Optional<String> error() {
        return report.get().string("error_message");
    }
}
