package dev.artel.testkit.sim;

import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.job.StepCause;
import dev.artel.kernel.job.Undo;
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
        boolean begun;
        @Nullable JobOutcome intended;
        int undone;
        int failures;
        List<Undo.Done> toUndo = List.of();
    }

    Undoings(World world) {
        this.world = world;
    }

    /// A handler's run said so; it may have run twice and said two things.
    void wants(JobId job, EffectId step, Action action) {
        wanted.computeIfAbsent(new Run(job, step), _ -> new HashSet<>())
                .add(action instanceof Action.Undoable ? "undoable" : "not");
    }

    /// @param fold the job after `news`
    void judge(JobId job, List<JobEvent> news, Job fold) {
        var account = accounts.computeIfAbsent(job, _ -> new Account());
        for (var i = 0; i < news.size(); i++) {
            var next =
                    i + 1 < news.size() ? Optional.of(news.get(i + 1)) : Optional.<JobEvent>empty();
            judge(job, account, news.get(i), next, fold);
        }
    }

    private void judge(
            JobId job, Account account, JobEvent event, Optional<JobEvent> next, Job fold) {
        switch (event) {
            case JobEvent.StepDone(int strand, var step, var _, var _, var _) -> {
                var said = wanted.getOrDefault(new Run(job, step), Set.of("not"));
                var isDeclared = next.filter(JobEvent.UndoDeclared.class::isInstance).isPresent();
                var begins = next.filter(Undoings::beginsWork).isPresent() && !said.contains("not");
                if (!account.begun && (isDeclared ? !said.contains("undoable") : begins)) {
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
            case JobEvent.UndoBegun(var outcome, var _, var _, var _) -> {
                if (account.begun || outcome instanceof JobOutcome.Finished) {
                    throw world.failure("job " + job + " has no reason for " + event);
                }
                account.begun = true;
                account.intended = outcome;
                var all = new ArrayList<>(fold.undo().done());
                fold.undo().undone().reversed().forEach(one -> all.add(one.what()));
                account.toUndo = all;
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

    /// An end state is entered under the number of a step that was lost with its append.
    private static boolean beginsWork(JobEvent event) {
        return event instanceof JobEvent.TaskOpened
                || event instanceof JobEvent.TasksOpened
                || event instanceof JobEvent.ChildRequested;
    }

    private void ended(JobId job, Account account, JobOutcome outcome, Job fold) {
        if (outcome instanceof JobOutcome.Finished) {
            if (account.begun) {
                throw world.failure("job " + job + " has finished, and undone what it did");
            }
            return;
        }
        if (!fold.undo().done().isEmpty()) {
            throw world.failure("job " + job + " has ended and not undone " + fold.undo().done());
        }
        if (account.begun && account.undone != account.toUndo.size()) {
            throw world.failure(
                    "job " + job + " has undone " + account.undone + " of " + account.toUndo);
        }
        if (account.begun && outcome.equals(account.intended) != (account.failures == 0)) {
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
