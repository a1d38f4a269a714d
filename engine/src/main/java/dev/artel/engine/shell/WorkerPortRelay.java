package dev.artel.engine.shell;

import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.budget.ReportedCost;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.engine.QuestionReply;
import dev.artel.kernel.engine.RenewReply;
import dev.artel.kernel.engine.WorkerPort;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.question.Question;
import dev.artel.kernel.task.TaskReport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Stands between conversations and engine and passes everything on; a subclass overrides the calls to which it adds
/// something.
public class WorkerPortRelay implements WorkerPort {
    private final WorkerPort next;

    /// A relay that adds nothing.
    protected WorkerPortRelay(WorkerPort next) {
        this.next = next;
    }

    @Override
    public boolean registered(WorkerId worker, JsonObject words) {
        return next.registered(worker, words);
    }

    @Override
    public void joined(WorkerProfile profile) {
        next.joined(profile);
    }

    @Override
    public void left(WorkerId worker, LeaseEnd reason) {
        next.left(worker, reason);
    }

    @Override
    public void limited(WorkerId worker, Instant until) {
        next.limited(worker, until);
    }

    @Override
    public void ask(long ask, WorkerId worker, int max) {
        next.ask(ask, worker, max);
    }

    @Override
    public void withdraw(long ask) {
        next.withdraw(ask);
    }

    @Override
    public void renew(WorkerId worker, List<LeaseToken> tokens, Duration term) {
        next.renew(worker, tokens, term);
    }

    @Override
    public RenewReply renewOnly(WorkerId worker, List<LeaseToken> tokens, Duration term) {
        return next.renewOnly(worker, tokens, term);
    }

    @Override
    public void end(LeaseToken token, LeaseEnd reason) {
        next.end(token, reason);
    }

    @Override
    public CommandReply report(
            WorkerId worker, LeaseToken token, TaskReport report, ReportedCost cost) {
        return next.report(worker, token, report, cost);
    }

    @Override
    public void report(
            WorkerId worker,
            LeaseToken token,
            TaskReport report,
            ReportedCost cost,
            Consumer<CommandReply> onReply) {
        next.report(worker, token, report, cost, onReply);
    }

    @Override
    public QuestionReply question(
            WorkerId worker,
            LeaseToken token,
            Question question,
            Optional<Duration> within,
            Duration wait) {
        return next.question(worker, token, question, within, wait);
    }
}
