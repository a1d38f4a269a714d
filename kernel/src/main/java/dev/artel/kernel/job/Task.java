package dev.artel.kernel.job;

import dev.artel.kernel.attempt.Attempt;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.question.Answer;
import dev.artel.kernel.question.OpenQuestion;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskError;
import dev.artel.kernel.task.TaskSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One task of a job.
///
/// @param id from 0, dense within the job
/// @param branch who waits for it
/// @param spec what it is
/// @param opened when it was asked for; the rank of its offers among equals, also when delivered again
/// @param state where it stands
/// @param lingering leases that no longer count, whose workers may still be at it
/// @param failedOn the workers on which an attempt has failed, each once, the latest last, at most [#MOST_REMEMBERED]
/// @param attempts the number of its latest attempt; 0 if there was none
/// @param hedge its second attempt, while the first is with a worker
/// @param answers to the questions of its attempts, in the order in which they came
public record Task(
        int id,
        int branch,
        TaskSpec spec,
        Instant opened,
        State state,
        List<Revoked> lingering,
        List<WorkerId> failedOn,
        int attempts,
        Optional<Hedge> hedge,
        List<Answer> answers) {
    /// How many workers a task remembers on which it has failed.
    public static final int MOST_REMEMBERED = 20;

    /// A lease that was taken back and keeps its slot until the worker no longer has it.
    ///
    /// @param revoke the effect that sends the worker the revocation
    public record Revoked(EffectId revoke, Lease lease) {}

    /// Where a task stands for its job.
    public sealed interface State {}

    /// Waits for its place in the window of a fan-out.
    public record Planned() implements State {}

    /// Is being delivered.
    ///
    /// @param attempt the current attempt
    /// @param failed how many attempts have failed
    /// @param lostBy the workers that were lost with an attempt, in order
    public record Open(Attempt attempt, int failed, List<WorkerId> lostBy) implements State {
        /// Copies `lostBy`.
        public Open {
            lostBy = List.copyOf(lostBy);
        }
    }

    /// May have had its effect or not, and waits for a person who knows.
    ///
    /// @param effect the one that asks for them
    /// @param lease under which it may have been done; its holder knows
    /// @param failed how many attempts have failed
    /// @param lostBy the workers that were lost with an earlier attempt, in order
    /// @param reason why it is unknown
    public record Doubtful(
            EffectId effect, Lease lease, int failed, List<WorkerId> lostBy, String reason)
            implements State {
        /// Copies `lostBy`.
        public Doubtful {
            lostBy = List.copyOf(lostBy);
        }
    }

    /// Has its outcome.
    ///
    /// @param by the lease under which it was reported; the same report again changes nothing
    public record Succeeded(
            LeaseToken by, WorkerId worker, int attempt, String status, Payload data)
            implements State {}

    /// Has failed, and is not retried.
    public record Failed(TaskError error) implements State {}

    /// Was no longer wanted.
    public record Cancelled() implements State {}

    /// Copies `lingering`.
    public Task {
        lingering = List.copyOf(lingering);
        failedOn = List.copyOf(failedOn);
        answers = List.copyOf(answers);
    }

    public Task with(State next) {
        return new Task(
                id, branch, spec, opened, next, lingering, failedOn, attempts, hedge, answers);
    }

    public Task withLingering(List<Revoked> next) {
        return new Task(id, branch, spec, opened, state, next, failedOn, attempts, hedge, answers);
    }

    public Task withFailureOn(WorkerId worker) {
        var more = new ArrayList<>(failedOn);
        more.remove(worker);
        more.add(worker);
        return new Task(
                id,
                branch,
                spec,
                opened,
                state,
                lingering,
                more.subList(Math.max(0, more.size() - MOST_REMEMBERED), more.size()),
                attempts,
                hedge,
                answers);
    }

    public Task withAttempts(int latest) {
        return new Task(
                id, branch, spec, opened, state, lingering, failedOn, latest, hedge, answers);
    }

    public Task withHedge(Optional<Hedge> next) {
        return new Task(
                id, branch, spec, opened, state, lingering, failedOn, attempts, next, answers);
    }

    public Task withAnswer(Answer next) {
        var more = new ArrayList<>(answers);
        more.add(next);
        return new Task(
                id, branch, spec, opened, state, lingering, failedOn, attempts, hedge, more);
    }

    /// This task, of which a worker has both attempts, with the second one in the place of the first.
    public Task turnedRound() {
        var open = (Open) state;
        var second = Hedge.leased(this).orElseThrow();
        return with(new Open(second, open.failed(), open.lostBy()))
                .withHedge(Optional.of(new Hedge.Second(open.attempt())));
    }

    /// The worker that did it or runs it; empty if there is none.
    public Optional<WorkerId> worker() {
        return switch (state) {
            case Succeeded done -> Optional.of(done.worker());
            case Open(Attempt.Held held, int _, var _) -> Optional.of(held.lease().worker());
            case Doubtful doubt -> Optional.of(doubt.lease().worker());
            case Open _, Planned _, Failed _, Cancelled _ -> Optional.empty();
        };
    }

    /// The question that stops it; empty if none does.
    public Optional<OpenQuestion> asked() {
        return state instanceof Open(var attempt, int _, var _)
                ? attempt.asked()
                : Optional.empty();
    }

    /// The answer to a question of one of its attempts.
    ///
    /// @param question see [Question#id]
    public Optional<Answer> answerTo(String question) {
        return answers.stream().filter(it -> it.question().id().equals(question)).findFirst();
    }

    /// The answer to the question with this number, see [OpenQuestion#number].
    public Optional<Answer> answerTo(long number) {
        return answers.stream().filter(it -> it.number() == number).findFirst();
    }

    /// Whether the job still waits for the task.
    public boolean isUnsettled() {
        return state instanceof Planned || state instanceof Open || state instanceof Doubtful;
    }
}
