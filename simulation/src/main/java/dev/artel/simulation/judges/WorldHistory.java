package dev.artel.simulation.judges;

import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.task.JobData;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The part of the [Ledger] that remembers what the world has done, which events may mention.
final class WorldHistory {
    private final Map<LeaseToken, WorkerId> reported = new HashMap<>();
    private final Set<Run> runs = new HashSet<>();
    private final Set<Sent> sent = new HashSet<>();
    private final Set<LeaseToken> begun = new HashSet<>();

    private record Run(JobId job, EffectId step) {}

    private final Set<Asked> asked = new HashSet<>();
    private final Set<Answered> answered = new HashSet<>();

    private final Map<JobId, Set<JobData>> runsWanted = new HashMap<>();

    private record Sent(JobId job, String signal) {}

    private record Asked(LeaseToken token, WorkerId worker, String question) {}

    private record Answered(JobId job, long number, String answer) {}

    void ran(JobId job, EffectId step) {
        runs.add(new Run(job, step));
    }

    boolean hasRun(JobId job, EffectId step) {
        return runs.contains(new Run(job, step));
    }

    /// A handler wants a new run of its job.
    void wantsRun(JobId job, JobData data) {
        runsWanted.computeIfAbsent(job, _ -> new HashSet<>()).add(data);
    }

    boolean hasWantedRun(JobId job, JobData data) {
        return runsWanted.getOrDefault(job, Set.of()).contains(data);
    }

    void reports(WorkerId worker, LeaseToken token) {
        reported.put(token, worker);
    }

    /// Who reported under `token` last.
    Optional<WorkerId> reporter(LeaseToken token) {
        return Optional.ofNullable(reported.get(token));
    }

    void sends(JobId job, String signal) {
        sent.add(new Sent(job, signal));
    }

    boolean hasSent(JobId job, String signal) {
        return sent.contains(new Sent(job, signal));
    }

    void asks(WorkerId worker, LeaseToken token, String question) {
        asked.add(new Asked(token, worker, question));
    }

    boolean hasAsked(WorkerId worker, LeaseToken token, String question) {
        return asked.contains(new Asked(token, worker, question));
    }

    void answers(JobId job, long number, String answer) {
        answered.add(new Answered(job, number, answer));
    }

    boolean hasAnswered(JobId job, long number, String answer) {
        return answered.contains(new Answered(job, number, answer));
    }

    /// A worker begins to work.
    void begins(LeaseToken token) {
        begun.add(token);
    }

    boolean hasBegun(LeaseToken token) {
        return begun.contains(token);
    }
}
