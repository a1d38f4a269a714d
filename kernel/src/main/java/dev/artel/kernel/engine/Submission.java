package dev.artel.kernel.engine;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.budget.Budget;
import dev.artel.kernel.job.ClientPlan;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.job.TraceContext;
import java.util.Optional;

/// What a client wants done.
///
/// @param blueprint the name of a registered blueprint
/// @param version of the blueprint; empty: the newest
/// @param client who asks
/// @param initialData what the job starts with; a value that is no object becomes the member `data` of one
/// @param idempotencyKey the same key of the same client gives the same job
/// @param clientPlan what the client is entitled to
/// @param signal that the job receives with the submission, whether that begins it or its key did so before; only with a key
/// @param budget the most that the client allows the job to spend; empty: as its blueprint says
public record Submission(
        String blueprint,
        Optional<String> version,
        String client,
        JsonValue initialData,
        Optional<String> idempotencyKey,
        JobOptions options,
        ClientPlan clientPlan,
        Optional<Signal> signal,
        Optional<Budget> budget) {
    /// A signal that comes with a submission.
    ///
    /// @param id the sender's; the same again changes nothing
    public record Signal(String name, String id, JsonValue payload) {}

    /// Refuses a signal without a key: sent again, it would begin another job.
    public Submission {
        if (signal.isPresent() && idempotencyKey.isEmpty()) {
            throw new IllegalArgumentException(
                    "a submission with signal '"
                            + signal.get().name()
                            + "' needs an idempotency key");
        }
    }

    /// A submission without a signal.
    public Submission(
            String blueprint,
            Optional<String> version,
            String client,
            JsonValue initialData,
            Optional<String> idempotencyKey,
            JobOptions options,
            ClientPlan clientPlan) {
        this(
                blueprint,
                version,
                client,
                initialData,
                idempotencyKey,
                options,
                clientPlan,
                Optional.empty(),
                Optional.empty());
    }

    /// A submission to the newest version of `blueprint`.
    public Submission(
            String blueprint,
            String client,
            JsonValue initialData,
            Optional<String> idempotencyKey,
            JobOptions options) {
        this(
                blueprint,
                Optional.empty(),
                client,
                initialData,
                idempotencyKey,
                options,
                ClientPlan.UNKNOWN);
    }

    /// This submission to the version `wanted`.
    public Submission withVersion(Optional<String> wanted) {
        return new Submission(
                blueprint,
                wanted,
                client,
                initialData,
                idempotencyKey,
                options,
                clientPlan,
                signal,
                budget);
    }

    /// This submission of a client that is entitled to `others`.
    public Submission withTerms(ClientPlan others) {
        return new Submission(
                blueprint,
                version,
                client,
                initialData,
                idempotencyKey,
                options,
                others,
                signal,
                budget);
    }

    /// This submission of a job that is part of a trace, or of none.
    public Submission withTrace(Optional<TraceContext> trace) {
        return new Submission(
                blueprint,
                version,
                client,
                initialData,
                idempotencyKey,
                options.withTrace(trace),
                clientPlan,
                signal,
                budget);
    }

    /// This submission of a job that may spend no more than `most`.
    public Submission withBudget(Budget most) {
        return new Submission(
                blueprint,
                version,
                client,
                initialData,
                idempotencyKey,
                options,
                clientPlan,
                signal,
                Optional.of(most));
    }

    /// This submission with a signal.
    ///
    /// @throws IllegalArgumentException if it has no idempotency key
    public Submission withSignal(Signal wanted) {
        return new Submission(
                blueprint,
                version,
                client,
                initialData,
                idempotencyKey,
                options,
                clientPlan,
                Optional.of(wanted),
                budget);
    }

    /// A job of an anonymous client with default options.
    public static Submission of(String blueprint, JsonObject initialData) {
        return new Submission(
                blueprint, "anonymous", initialData, Optional.empty(), JobOptions.DEFAULTS);
    }
}
