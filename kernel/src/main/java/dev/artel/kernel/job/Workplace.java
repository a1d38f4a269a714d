package dev.artel.kernel.job;

import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Branch;
import dev.artel.kernel.job.Decision.Reason;
import dev.artel.kernel.task.JobData;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.IntStream;

/// Decides what comes of what people do about quarantined jobs.
final class Workplace {
    private static final String GIVEN_UP =
            "its parent took its quarantine for its end and has gone on, with the steps that were left;"
                    + " fork it, or discard it";

    private Workplace() {}

    /// Whether its parent waits for it no more.
    static boolean isGivenUp(Job job) {
        return job.phase() instanceof Job.Quarantined
                && job.spec()
                        .lineage()
                        .filter(from -> from.mode() == ChildMode.AWAITED_UNLESS_QUARANTINED)
                        .isPresent();
    }

    static Decision mend(Deciding deciding, Job job, JobCommand.Mend c) {
        if (job.phase() instanceof Job.Ended(var _, var at)) {
            return refused(Reason.FINAL, job, c, "it is already " + job.status() + " since " + at);
        }
        if (!(job.phase() instanceof Job.Quarantined(var reason, var _))) {
            return refused(Reason.NOT_AWAITED, job, c, "it is not quarantined but " + job.status());
        }
        if (isGivenUp(job) && !(c.how() instanceof Mending.Discard)) {
            return refused(Reason.NOT_AWAITED, job, c, GIVEN_UP);
        }
        var strand = job.strands().get(0);
        var mended = new JobEvent.JobMended(c.how(), c.by(), c.at());
        return switch (c.how()) {
            case Mending.Release _ -> {
                deciding.emit(mended);
                release(deciding, job, c);
                yield deciding.accepted();
            }
            case Mending.Retry _ -> {
                deciding.emit(mended);
                enter(deciding, strand.state(), c);
                yield deciding.accepted();
            }
            case Mending.Skip skip -> {
                var next = after(strand, skip.status());
                if (next.isEmpty()) {
                    yield refused(Reason.NOT_AWAITED, job, c, whyNoState(strand, skip.status()));
                }
                deciding.emit(mended);
                deciding.enter(0, next.get(), skipped(strand, c), c.at());
                yield deciding.accepted();
            }
            case Mending.Discard(var why) -> {
                deciding.emit(mended);
                deciding.undoing().end(discarded(why, c.by(), reason), c.at());
                yield deciding.accepted();
            }
        };
    }

    private static void release(Deciding deciding, Job job, JobCommand.Mend c) {
        var strand = job.strands().get(0);
        switch (strand.doing()) {
            case Strand.AwaitingTask(int task, var on) ->
                    deciding.open(0, job.tasks().get(task).spec(), on, c.at());
            case Strand.AwaitingTasks(var group) -> Forking.again(deciding, 0, group, c.at());
            case Strand.AwaitingBranches(var group) -> resume(deciding, group, c.at());
            case Strand.Stepping _,
                    Strand.BackingOff _,
                    Strand.AwaitingChild _,
                    Strand.AwaitingChildren _,
                    Strand.Waiting _,
                    Strand.AwaitingSignal _,
                    Strand.AwaitingApproval _,
                    Strand.Over _,
                    Strand.Stopped _ ->
                    enter(deciding, strand.state(), c);
        }
    }

    /// Branches go on for those that have not succeeded, in the states in which they ended.
    private static void resume(Deciding deciding, Gathering group, Instant at) {
        var left =
                IntStream.range(group.first(), group.first() + group.count())
                        .mapToObj(deciding.job().strands()::get)
                        .filter(branch ->
                                !(branch.doing() instanceof Strand.Over(boolean well, boolean _)
                                        && well))
                        .map(branch -> new Branch(branch.state()))
                        .toList();
        deciding.fork(
                0,
                new Action.Fork(
                        left,
                        JoinPolicy.rest(group.policy(), group.succeeded()),
                        group.join(),
                        group.otherwise(),
                        JobData.EMPTY),
                at);
    }

    /// The handler that joins gets what there is.
    private static StepCause skipped(Strand strand, JobCommand.Mend c) {
        return switch (strand.doing()) {
            case Strand.AwaitingTasks(var group) ->
                    new StepCause.TasksGathered(group.first(), group.count());
            case Strand.AwaitingBranches(var group) ->
                    new StepCause.BranchesGathered(group.first(), group.count());
            case Strand.AwaitingChildren(var group) ->
                    new StepCause.ChildrenGathered(group.first(), group.count());
            case Strand.AwaitingTask _,
                    Strand.AwaitingChild _,
                    Strand.Stepping _,
                    Strand.BackingOff _,
                    Strand.Waiting _,
                    Strand.AwaitingSignal _,
                    Strand.AwaitingApproval _,
                    Strand.Over _,
                    Strand.Stopped _ ->
                    new StepCause.Mended(c.how().text(), c.by());
        };
    }

    /// A job that waits or is quarantined goes back; whatever it is about is stopped.
    static Decision rewind(Deciding deciding, Job job, JobCommand.Rewind c) {
        var what = "job " + job.id() + " cannot be rewound: ";
        return switch (job.phase()) {
            case Job.Ended(var _, var at) ->
                    new Decision.Rejected(
                            Reason.FINAL,
                            what
                                    + "it is already "
                                    + job.status()
                                    + " since "
                                    + at
                                    + ", and a job that is over stays so; submit it anew");
            case Job.Cancelling _ ->
                    new Decision.Rejected(Reason.NOT_AWAITED, what + "it is being cancelled");
            case Job.Quarantined _ when isGivenUp(job) ->
                    new Decision.Rejected(Reason.NOT_AWAITED, what + GIVEN_UP);
            case Job.Active _ when job.undo().running().isPresent() ->
                    new Decision.Rejected(Reason.NOT_AWAITED, what + "what it did is being undone");
            case Job.Active _, Job.Quarantined _ when c.to().run() != job.allowance().run() ->
                    new Decision.Rejected(
                            Reason.NOT_AWAITED,
                            what
                                    + "it has continued as new since it was in state '"
                                    + c.to().state()
                                    + "'; look at it again");
            case Job.Active _, Job.Quarantined _ -> {
                deciding.undoing().back(c.to(), c.by(), c.at());
                yield deciding.accepted();
            }
        };
    }

    private static JobOutcome discarded(String why, String by, String reason) {
        return new JobOutcome.Failed(
                "discarded by " + by + " (" + why + "); it was quarantined: " + reason);
    }

    private static void enter(Deciding deciding, String state, JobCommand.Mend c) {
        deciding.enter(0, state, new StepCause.Mended(c.how().text(), c.by()), c.at());
    }

    private static Optional<String> after(Strand strand, String status) {
        return switch (strand.doing()) {
            case Strand.AwaitingTask(int _, var on) -> on.after(status);
            case Strand.AwaitingChild(int _, var on) -> on.after(status);
            case Strand.AwaitingTasks(var group) -> Optional.of(group.join());
            case Strand.AwaitingBranches(var group) -> Optional.of(group.join());
            case Strand.AwaitingChildren(var group) -> Optional.of(group.join());
            case Strand.Stepping _,
                    Strand.BackingOff _,
                    Strand.Waiting _,
                    Strand.AwaitingSignal _,
                    Strand.AwaitingApproval _,
                    Strand.Over _,
                    Strand.Stopped _ ->
                    Optional.empty();
        };
    }

    private static String whyNoState(Strand strand, String status) {
        return strand.doing() instanceof Strand.AwaitingTask(int task, var on)
                ? "no state follows '"
                        + status
                        + "' of task "
                        + task
                        + "; take one of "
                        + on.states().sequencedKeySet()
                : strand.doing() instanceof Strand.Stepping
                        ? "it was stopped before the handler of state "
                                + strand.state()
                                + " ran, and nothing says what follows it; release it"
                        : "it was the handler of state "
                                + strand.state()
                                + " that failed, and nothing says what follows it; retry it";
    }

    private static Decision refused(Reason reason, Job job, JobCommand.Mend c, String why) {
        return new Decision.Rejected(
                reason, "job " + job.id() + " cannot be " + c.how().text() + ": " + why);
    }
}
