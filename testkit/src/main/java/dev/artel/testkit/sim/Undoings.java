package dev.artel.testkit.sim;

import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.job.StepCause;
import dev.artel.kernel.job.Undo;
import dev.artel.kernel.job.Visit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The part of the [Ledger] that judges how jobs undo what they did.
final class Undoings {
    private final World world;
    private final Map<Run, Set<String>> wanted = new HashMap<>();
    private final Map<JobId, Account> accounts = new HashMap<>();

    private record Run(JobId job, EffectId step) {}

    private static final class Account {
        final Map<Integer, Boolean> declared = new HashMap<>();
        final List<Visit> wantedBack = new ArrayList<>();
        Undo.@Nullable Aim aim;
        int undoneBefore;
        int undone;
        int failures;
        List<Undo.Done> toUndo = List.of();

        /// The job goes on, or comes to another end.
        void leave() {
            aim = null;
            undoneBefore += undone;
            undone = 0;
            failures = 0;
        }
    }

    Undoings(World world) {
        this.world = world;
    }

    /// A handler's run said so; it may have run twice and said two things.
    void wants(JobId job, EffectId step, Action action) {
        wanted.computeIfAbsent(new Run(job, step), _ -> new HashSet<>())
                .add(action instanceof Action.Undoable ? "undoable" : "not");
    }

    /// Somebody is about to take the job back.
    void wantsBack(JobId job, Visit to) {
        accounts.computeIfAbsent(job, _ -> new Account()).wantedBack.add(to);
    }

    /// Whether `event` is what becomes of taking a job back.
    static boolean takesBack(JobEvent event, Visit to) {
        return switch (event) {
            case JobEvent.JobRewound done ->
                    done.to().equals(to.state()) && done.data().equals(to.data());
            case JobEvent.UndoBegun(Undo.Back(var wanted, var _), var _, var _, var _) ->
                    wanted.equals(to);
            default -> false;
        };
    }

    /// @param fold the job after `news`
    void judge(JobId job, List<JobEvent> news, Job fold) {
        var account = accounts.computeIfAbsent(job, _ -> new Account());
        for (var i = 0; i < news.size(); i++) {
            var next =
                    i + 1 < news.size() ? Optional.of(news.get(i + 1)) : Optional.<JobEvent>empty();
            judge(job, account, news.get(i), next, fold);
            if (news.get(i) instanceof JobEvent.JobRewound event) {
                rewound(job, account, event, news.subList(i + 1, news.size()), fold);
            }
        }
    }

    private void judge(
            JobId job, Account account, JobEvent event, Optional<JobEvent> next, Job fold) {
        switch (event) {
            case JobEvent.StepDone(int strand, var step, var _, var _, var _) -> {
                var said = wanted.getOrDefault(new Run(job, step), Set.of("not"));
                var isDeclared = next.filter(JobEvent.UndoDeclared.class::isInstance).isPresent();
                var begins = next.filter(Undoings::beginsWork).isPresent() && !said.contains("not");
                if (account.aim == null && (isDeclared ? !said.contains("undoable") : begins)) {
                    throw world.failure(
                            "a step of "
                                    + job
                                    + " said it is "
                                    + said
                                    + ", and then comes "
                                    + next);
                }
                account.declared.put(strand, isDeclared);
            }
            case JobEvent.UndoBegun(var aim, var _, var _, var _) -> {
                if (account.aim instanceof Undo.End
                        || aim instanceof Undo.End(JobOutcome.Finished _)) {
                    throw world.failure("job " + job + " has no reason for " + event);
                }
                account.aim = aim;
                account.undoneBefore += account.undone;
                account.undone = 0;
                account.failures = 0;
                account.toUndo = toUndo(account, fold);
            }
            case JobEvent.ChildEnded _, JobEvent.ChildStarted _ when account.aim != null ->
                    // It finished before it knew that it was not wanted, or lives by itself.
                    account.toUndo = toUndo(account, fold);
            case JobEvent.JobRewound _ -> {
                // See [#rewound].
            }
            case JobEvent.CancelRequested _ -> account.leave();
            case JobEvent.JobContinued _ -> {
                account.undoneBefore = 0;
                account.undone = 0;
                account.wantedBack.clear();
            }
            case JobEvent.StateEntered(int _, var state, StepCause.Undoing(int number), var _) -> {
                if (number != account.toUndo.size() - 1 - account.undone) {
                    throw world.failure(
                            "job "
                                    + job
                                    + " undoes "
                                    + number
                                    + " in "
                                    + state
                                    + " after "
                                    + account.undone
                                    + " of "
                                    + account.toUndo);
                }
            }
            case JobEvent.Undone(var failure, var _) -> {
                account.undone++;
                account.failures += failure.isPresent() ? 1 : 0;
            }
            case JobEvent.JobEnded(var outcome, var _) -> ended(job, account, outcome, fold);
            default -> {
                // says nothing about it
            }
        }
    }

    /// What was to be undone when undoing began, from the first to the last.
    private static List<Undo.Done> toUndo(Account account, Job fold) {
        var all = new ArrayList<>(fold.undo().done().stream().toList());
        var undone = fold.undo().undone();
        for (var i = undone.size() - 1; i >= account.undoneBefore; i--) {
            all.add(undone.get(i).what());
        }
        return all;
    }

    /// An end state is entered under the number of a step that was lost with its append.
    private static boolean beginsWork(JobEvent event) {
        return event instanceof JobEvent.TaskOpened
                || event instanceof JobEvent.TasksOpened
                || event instanceof JobEvent.ChildRequested
                || event instanceof JobEvent.ChildrenRequested;
    }

    /// @param behind what became durable with it: workers and children that were given up may have been done all the same
    private void rewound(
            JobId job,
            Account account,
            JobEvent.JobRewound event,
            List<JobEvent> behind,
            Job fold) {
        var late = behind.stream().filter(Undoings::mayComplete).count();
        var mayStay =
                account.wantedBack.stream()
                        .filter(to -> takesBack(event, to))
                        .mapToInt(Visit::done)
                        .max();
        if (mayStay.isEmpty() || fold.undo().done().size() - late > mayStay.getAsInt()) {
            throw world.failure(
                    "job "
                            + job
                            + " is taken back by "
                            + event
                            + ", and has not undone all but "
                            + mayStay
                            + " of "
                            + fold.undo().done());
        }
        account.leave();
    }

    private static boolean mayComplete(JobEvent event) {
        return event instanceof JobEvent.ChildEnded
                || event instanceof JobEvent.ChildStarted
                || event instanceof JobEvent.TaskSucceeded
                || event instanceof JobEvent.TaskFailed
                || event instanceof JobEvent.AttemptFailed
                || event instanceof JobEvent.LeaseLost
                || event instanceof JobEvent.OutcomeUnknown;
    }

    private void ended(JobId job, Account account, JobOutcome outcome, Job fold) {
        if (outcome instanceof JobOutcome.Finished) {
            if (account.aim != null) {
                throw world.failure("job " + job + " has finished, and undone what it did");
            }
            return;
        }
        if (!fold.undo().done().isEmpty()) {
            throw world.failure("job " + job + " has ended and not undone " + fold.undo().done());
        }
        if (account.aim == null) {
            return;
        }
        if (account.undone != account.toUndo.size()) {
            throw world.failure(
                    "job " + job + " has undone " + account.undone + " of " + account.toUndo);
        }
        if (account.aim.equals(new Undo.End(outcome)) != (account.failures == 0)) {
            throw world.failure(
                    "job "
                            + job
                            + " could not undo "
                            + account.failures
                            + " and comes to "
                            + outcome);
        }
    }
}
