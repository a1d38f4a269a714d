package dev.artel.engine.core.watch;

import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.branch.JoinState;
import dev.artel.kernel.child.Child;
import dev.artel.kernel.compensation.CompensationLog;
import dev.artel.kernel.guard.GuardBaseline;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.job.Task;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.IntPredicate;

/// What does not look as it should. A healthy engine gives it reasons, too, while something is on its way.
final class StallCandidates {
    private static final String RESTART =
            "restart the orchestrator, which takes up all that is pending; report it with the job's"
                    + " history";
    private static final String BY_HAND =
            "rewind the job or cancel it; report it with the job's history";

    private final StallSnapshot stallSnapshot;
    private final List<StallCandidate> found = new ArrayList<>();

    private StallCandidates(StallSnapshot stallSnapshot) {
        this.stallSnapshot = stallSnapshot;
    }

    static List<StallCandidate> of(StallSnapshot stallSnapshot) {
        var all = new StallCandidates(stallSnapshot);
        stallSnapshot.durable().ifPresent(all::judge);
        all.judgeSlots();
        return all.found;
    }

    private void suspect(String key, String expected, String found, String advice) {
        this.found.add(new StallCandidate(key, expected, found, advice));
    }

    private void judge(Job job) {
        if (stallSnapshot.inMemory().isPresent()
                && stallSnapshot.inMemory().getAsLong() != job.version()) {
            suspect(
                    // A job that goes on is never at the same version in two looks.
                    "memory at " + stallSnapshot.inMemory().getAsLong() + " of " + job.version(),
                    "the job in memory is the one in the store, at version " + job.version(),
                    "in memory it is at version " + stallSnapshot.inMemory().getAsLong(),
                    RESTART);
        }
        for (var signal : stallSnapshot.signals()) {
            if (!job.signals().known().containsKey(signal) && !job.isFinal()) {
                suspect(
                        "signal " + signal,
                        "the signal " + signal + ", which was acknowledged, is kept",
                        "the job does not know it",
                        "send the signal again under another id");
            }
        }
        if (job.isClosed()) {
            return;
        }
        var pending = Jobs.pending(job);
        if (pending.isEmpty()) {
            suspect("nothing", "a job that is not closed asks for something", "nothing", BY_HAND);
        }
        stallSnapshot
                .unheld()
                .forEach(effect ->
                        suspect(
                                "effect " + effect.id(),
                                expected(effect),
                                "no part of the engine has it",
                                RESTART));
        stallSnapshot
                .lost()
                .forEach((await, why) ->
                        suspect(
                                "child " + await,
                                "the end of a child will be reported",
                                why,
                                BY_HAND));
        for (var effect : pending) {
            if (effect instanceof Effect.ScheduleTimer timer
                    && timer.at().isBefore(stallSnapshot.now())) {
                suspect(
                        "late " + timer.id(),
                        "the timer of " + timer.at() + " has gone off",
                        "it is overdue",
                        RESTART);
            }
        }
        judgeKinship(job);
        if (job.phase() instanceof Job.Active) {
            job.branches().forEach(branch -> judge(job, branch));
        }
    }

    /// A child goes on as if it were wanted, though its parent counts on it that it knows better.
    private void judgeKinship(Job job) {
        var isKnown =
                stallSnapshot
                        .parent()
                        .flatMap(parent ->
                                parent.children().children().stream()
                                        .filter(child -> child.id().equals(job.id()))
                                        .findFirst())
                        .filter(child -> child.state() instanceof Child.Stopped);
        if (isKnown.isPresent() && !isEnding(job) && !wasLetGoOn(job)) {
            var parent = stallSnapshot.parent().orElseThrow().id();
            suspect(
                    "unwanted by " + parent,
                    "the job ends, since job " + parent + ", which started it, has no use for it",
                    "it goes on as if it had not received the cancel",
                    "cancel it: POST /api/v1/jobs/" + job.id() + "/cancel");
        }
    }

    private static boolean isEnding(Job job) {
        return job.isFinal()
                || job.phase() instanceof Job.Cancelling
                || job.compensationLog()
                        .running()
                        .filter(it -> it.aim() instanceof CompensationLog.End)
                        .isPresent();
    }

    /// It has a state for being cancelled, or a client has rewound it since: it received the cancel, and goes on.
    private static boolean wasLetGoOn(Job job) {
        return !job.guardBaseline().equals(GuardBaseline.FRESH);
    }

    private static String expected(Effect effect) {
        return switch (effect) {
            case Effect.RunStep step -> "the handler of state " + step.state() + " runs, or is to";
            case Effect.Offer offer ->
                    "task " + offer.task() + " (" + offer.outline().type() + ") waits in the queue";
            case Effect.HoldLease hold ->
                    "the lease of worker "
                            + hold.lease().worker()
                            + " on task "
                            + hold.task()
                            + " is held";
            case Effect.HoldParked parked ->
                    "the lease of worker "
                            + parked.lease().worker()
                            + " on task "
                            + parked.task()
                            + ", which waits for an answer, is held without a slot";
            case Effect.Revoke revoke ->
                    "the revoked lease of worker "
                            + revoke.lease().worker()
                            + " on task "
                            + revoke.task()
                            + " lingers";
            case Effect.ScheduleTimer timer -> "a timer is set for " + timer.at();
            case Effect.StartChild start -> "child " + start.job() + " is being started";
            case Effect.AwaitChild await -> "child " + await.job() + " lives";
            case Effect.StopChild stop -> "child " + stop.job() + " is being stopped";
            case Effect.NotifyParent notification ->
                    "job " + notification.parentLink().parent() + " is being notified of the end";
            case Effect.CallWebhook call ->
                    "the webhook of " + call.webhookEvent().to().subscriber() + " is being called";
            case Effect.Outside _ -> "a client or a person is waited for";
        };
    }

    /// Whether what a branch waits for is still there, by the job's own account.
    private void judge(Job job, Branch branch) {
        var problem =
                switch (branch.doing()) {
                    case Branch.AwaitingTask(int task, var _) ->
                            isUnsettled(job, task) ? "" : "task " + task + " is over";
                    case Branch.AwaitingTasks(var tasks) ->
                            anyIn(tasks, number -> isAtWork(job, number))
                                    ? ""
                                    : "none of its tasks is open";
                    case Branch.AwaitingBranches(var branches) ->
                            anyIn(branches, number -> !job.branches().get(number).isOver())
                                    ? ""
                                    : "all of its branches are over";
                    case Branch.AwaitingChild(int child, var _) ->
                            isAwaited(job.children().children().get(child))
                                    ? ""
                                    : "child " + child + " is over";
                    case Branch.AwaitingChildren(var children) ->
                            anyIn(
                                            children,
                                            number ->
                                                    isAwaited(
                                                            job.children().children().get(number)))
                                    ? ""
                                    : "none of its children lives";
                    case Branch.AwaitingSignal wait ->
                            job.signals().first(wait.signal()).isEmpty()
                                    ? ""
                                    : "signal " + wait.signal() + " is there";
                    case Branch.Stepping _,
                            Branch.BackingOff _,
                            Branch.Waiting _,
                            Branch.AwaitingApproval _,
                            Branch.Over _,
                            Branch.Stopped _ ->
                            "";
                };
        if (!problem.isEmpty()) {
            suspect(
                    "branch " + branch.id() + " in " + branch.state(),
                    "branch " + branch.id() + " (" + branch.status() + ") waits for something",
                    problem,
                    BY_HAND);
        }
    }

    private static boolean anyIn(JoinState group, IntPredicate is) {
        for (var i = group.first(); i < group.first() + group.count(); i++) {
            if (is.test(i)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isUnsettled(Job job, int task) {
        var state = job.tasks().get(task).state();
        return state instanceof Task.Planned || isAtWork(job, task);
    }

    private static boolean isAtWork(Job job, int task) {
        var state = job.tasks().get(task).state();
        return state instanceof Task.Open || state instanceof Task.Doubtful;
    }

    private static boolean isAwaited(Child child) {
        return child.state() instanceof Child.Asked || child.state() instanceof Child.Running;
    }

    private void judgeSlots() {
        var wanted = new LinkedHashSet<LeaseToken>();
        stallSnapshot
                .durable()
                .ifPresent(job ->
                        Jobs.pending(job)
                                .forEach(effect -> {
                                    switch (effect) {
                                        case Effect.HoldLease hold ->
                                                wanted.add(hold.lease().token());
                                        case Effect.HoldParked parked ->
                                                wanted.add(parked.lease().token());
                                        case Effect.Revoke revoke ->
                                                wanted.add(revoke.lease().token());
                                        case Effect.RunStep _,
                                                Effect.Offer _,
                                                Effect.ScheduleTimer _,
                                                Effect.CrossJob _,
                                                Effect.Outside _,
                                                Effect.CallWebhook _ -> {
                                            // takes up no slot
                                        }
                                    }
                                }));
        stallSnapshot
                .overdue()
                .forEach((token, since) -> {
                    if (wanted.contains(token)) {
                        suspect(
                                "overdue " + token.shown() + " since " + since,
                                "the lease of "
                                        + token.shown()
                                        + ", which was over at "
                                        + since
                                        + ", was ended",
                                "it is held on, so that no worker has the task",
                                RESTART);
                    }
                });
        for (var token : stallSnapshot.slots()) {
            if (!wanted.contains(token)) {
                suspect(
                        "slot " + token.shown(),
                        "only leases that a job has take up slots",
                        "the lease of "
                                + token.shown()
                                + " takes up a slot and is no longer held by its job",
                        RESTART);
            }
        }
    }
}
