package dev.artel.engine.core.watch;

import dev.artel.kernel.delivery.LeaseToken;
import dev.artel.kernel.job.Allowance;
import dev.artel.kernel.job.Child;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Gathering;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.job.Strand;
import dev.artel.kernel.job.Task;
import dev.artel.kernel.job.Undo;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.IntPredicate;

/// What does not look as it should. A healthy engine gives it reasons, too, while something is on its way.
final class Suspicions {
    private static final String RESTART =
            "restart the orchestrator, which takes up all that is pending; report it with the job's"
                    + " history";
    private static final String BY_HAND =
            "rewind the job or cancel it; report it with the job's history";

    private final Look look;
    private final List<Suspicion> found = new ArrayList<>();

    private Suspicions(Look look) {
        this.look = look;
    }

    static List<Suspicion> of(Look look) {
        var all = new Suspicions(look);
        look.durable().ifPresent(all::judge);
        all.judgeSlots();
        return all.found;
    }

    private void suspect(String key, String expected, String found, String advice) {
        this.found.add(new Suspicion(key, expected, found, advice));
    }

    private void judge(Job job) {
        if (look.inMemory().isPresent() && look.inMemory().getAsLong() != job.version()) {
            suspect(
                    // A job that goes on is never at the same version in two looks.
                    "memory at " + look.inMemory().getAsLong() + " of " + job.version(),
                    "the job in memory is the one in the store, at version " + job.version(),
                    "in memory it is at version " + look.inMemory().getAsLong(),
                    RESTART);
        }
        for (var signal : look.signals()) {
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
        look.unheld()
                .forEach(effect ->
                        suspect(
                                "effect " + effect.id(),
                                expected(effect),
                                "nobody has it",
                                RESTART));
        look.lost()
                .forEach((await, why) ->
                        suspect("child " + await, "the end of a child will be reported", why, BY_HAND));
        for (var effect : pending) {
            if (effect instanceof Effect.WakeAt alarm && alarm.at().isBefore(look.now())) {
                suspect(
                        "late " + alarm.id(),
                        "the alarm of " + alarm.at() + " has gone off",
                        "it is overdue",
                        RESTART);
            }
        }
        judgeKinship(job);
        if (job.phase() instanceof Job.Active) {
            job.strands().forEach(strand -> judge(job, strand));
        }
    }

    /// A child goes on as if it were wanted, though its parent counts on it that it knows better.
    private void judgeKinship(Job job) {
        var isKnown =
                look.parent()
                        .flatMap(parent ->
                                parent.family().children().stream()
                                        .filter(child -> child.id().equals(job.id()))
                                        .findFirst())
                        .filter(child -> child.state() instanceof Child.Stopped);
        if (isKnown.isPresent() && !isEnding(job) && !wasLetGoOn(job)) {
            var parent = look.parent().orElseThrow().id();
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
                || job.undo().running().filter(it -> it.aim() instanceof Undo.End).isPresent();
    }

    /// It has a state for being cancelled, or somebody has rewound it since: it received the cancel, and goes on.
    private static boolean wasLetGoOn(Job job) {
        return !job.allowance().equals(Allowance.FRESH);
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
            case Effect.WakeAt alarm -> "an alarm is set for " + alarm.at();
            case Effect.StartChild start -> "child " + start.job() + " is being started";
            case Effect.AwaitChild await -> "child " + await.job() + " lives";
            case Effect.StopChild stop -> "child " + stop.job() + " is being stopped";
            case Effect.TellParent tell ->
                    "job " + tell.lineage().parent() + " is being notified of the end";
            case Effect.CallWebhook call ->
                    "the webhook of " + call.notice().to().subscriber() + " is being called";
            case Effect.Outside _ -> "somebody outside is waited for";
        };
    }

    /// Whether what a strand waits for is still there, by the job's own account.
    private void judge(Job job, Strand strand) {
        var problem =
                switch (strand.doing()) {
                    case Strand.AwaitingTask(int task, var _) ->
                            isUnsettled(job, task) ? "" : "task " + task + " is over";
                    case Strand.AwaitingTasks(var tasks) ->
                            anyIn(tasks, number -> isAtWork(job, number))
                                    ? ""
                                    : "none of its tasks is open";
                    case Strand.AwaitingBranches(var branches) ->
                            anyIn(branches, number -> !job.strands().get(number).isOver())
                                    ? ""
                                    : "all of its branches are over";
                    case Strand.AwaitingChild(int child, var _) ->
                            isAwaited(job.family().children().get(child))
                                    ? ""
                                    : "child " + child + " is over";
                    case Strand.AwaitingChildren(var children) ->
                            anyIn(
                                            children,
                                            number ->
                                                    isAwaited(job.family().children().get(number)))
                                    ? ""
                                    : "none of its children lives";
                    case Strand.AwaitingSignal wait ->
                            job.signals().first(wait.signal()).isEmpty()
                                    ? ""
                                    : "signal " + wait.signal() + " is there";
                    case Strand.Stepping _,
                            Strand.BackingOff _,
                            Strand.Waiting _,
                            Strand.AwaitingApproval _,
                            Strand.Over _,
                            Strand.Stopped _ ->
                            "";
                };
        if (!problem.isEmpty()) {
            suspect(
                    "strand " + strand.id() + " in " + strand.state(),
                    "strand " + strand.id() + " (" + strand.status() + ") waits for something",
                    problem,
                    BY_HAND);
        }
    }

    private static boolean anyIn(Gathering group, IntPredicate is) {
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
        look.durable()
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
                                                Effect.WakeAt _,
                                                Effect.BetweenJobs _,
                                                Effect.Outside _,
                                                Effect.CallWebhook _ -> {
                                            // takes up no slot
                                        }
                                    }
                                }));
        look.overdue()
                .forEach((token, since) -> {
                    if (wanted.contains(token)) {
                        suspect(
                                "overdue " + token + " since " + since,
                                "lease " + token + ", which was over at " + since + ", was ended",
                                "it is held on, so that the task is with nobody",
                                RESTART);
                    }
                });
        for (var token : look.slots()) {
            if (!wanted.contains(token)) {
                suspect(
                        "slot " + token,
                        "only leases that a job has take up slots",
                        "lease " + token + " takes up a slot and is no longer held by its job",
                        RESTART);
            }
        }
    }
}
