package dev.artel.blueprint;

import dev.artel.blueprint.function.FunctionBlueprint;
import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.HistoryMismatch;

/// Checks the code of a durable function against the recorded history of a job, in a test or before a new version is registered: the code
/// runs with the recorded answers, as it would after a restart of the orchestrator.
///
/// ```java
/// var saved = (JsonObject) JsonText.read(Files.readAllBytes(Path.of("src/test/histories/trip-42.json")));
/// assertThat(Replay.of(trip(), saved)).isInstanceOf(Replay.Fits.class);
/// ```
public sealed interface Replay {
    /// The code asks for what the history has.
    ///
    /// @param job its id
    /// @param stands how far the code has come at the end of the history, for people
    record Fits(String job, String stands) implements Replay {}

    /// The code asks for something else: a job with this history would be quarantined.
    ///
    /// @param job its id
    /// @param reason names both sides
    record Differs(String job, String reason) implements Replay {}

    /// Replays `history` with the code of `blueprint`.
    ///
    /// @param history what `./artel replay JOB --save FILE` has saved: the members `job_id` and `items`, the events of the job as `GET
    ///         /api/v1/jobs/{id}/history` gives them, oldest first
    /// @throws IllegalArgumentException if `blueprint` is no function, or `history` is not a whole one
    static Replay of(Blueprint blueprint, JsonObject history) {
        var job = history.string("job_id").orElse("recorded");
        try {
            return new Fits(job, FunctionBlueprint.replay(blueprint.definition(), history));
        } catch (HistoryMismatch differs) {
            return new Differs(job, String.valueOf(differs.getMessage()));
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the replay of job " + job + " was interrupted", stop);
        }
    }
}
