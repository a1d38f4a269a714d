package dev.artel.kernel.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.attempt.Attempt;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.child.Child;
import dev.artel.kernel.timer.TimerKind;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Every row of the table of [Jobs#decide] is visited by the lives of [RandomWorld], or something here fails.
final class TransitionCoverageTest {
    private static final SequencedSet<String> VISITED = new LinkedHashSet<>();

    @BeforeAll
    static void live() {
        for (var seed = 0; seed < 4000; seed++) {
            var job = new CheckedJob();
            var world = new RandomWorld(seed);
            for (var i = 0; i < 80; i++) {
                var before = job.state();
                var command = world.next(job);
                note(job, before, command);
                note(job.give(command));
            }
        }
    }

    @Test
    void everyPhaseOfAJob_meetsEveryCommand() {
        var phases = new ArrayList<>(namesOf(Job.Phase.class));
        phases.add("Unsubmitted");

        assertVisited(phases, namesOf(JobCommand.class));
    }

    @Test
    void everyDoingOfAStrand_meetsEveryCommandThatNamesIt() {
        assertVisited(
                namesOf(Branch.Doing.class), List.of("CompleteStep", "FailStep", "FireTimer"));
    }

    @Test
    void everyStateOfATask_meetsEveryCommandThatNamesIt() {
        var states =
                List.of(
                        "Planned",
                        "Queued",
                        "Leased",
                        "Parked",
                        "Unanswered",
                        "Doubtful",
                        "Succeeded",
                        "Failed",
                        "Cancelled");

        assertVisited(
                states,
                List.of("Grant", "Report", "EndLease", "FireTimer", "ResolveTask", "AskQuestion"));
        assertVisited(List.of("Lingering"), List.of("Report", "EndLease"));
    }

    @Test
    void everyStateOfAChild_meetsEveryCommandThatNamesIt() {
        var states = namesOf(Child.State.class).stream().map(state -> "child " + state).toList();

        assertVisited(states, List.of("ConfirmChild", "RefuseChild", "EndChild", "ConfirmStop"));
    }

    @Test
    void everyEventHappens() {
        assertThat(VISITED).containsAll(namesOf(JobEvent.class));
    }

    @Test
    void everyReasonToRefuseIsGiven() {
        assertThat(VISITED)
                .containsAll(
                        Stream.of(Decision.Reason.values())
                                // It takes a hundred signals; see [SignalTest].
                                .filter(reason -> reason != Decision.Reason.FULL)
                                .map(Enum::name)
                                .toList());
    }

    private static void assertVisited(List<String> states, List<String> commands) {
        var rows =
                states.stream()
                        .flatMap(state -> commands.stream().map(c -> state + " x " + c))
                        .toList();
        assertThat(VISITED).containsAll(rows);
    }

    private static List<String> namesOf(Class<?> sealed) {
        return Stream.of(sealed.getPermittedSubclasses())
                .flatMap(each ->
                        each.isSealed() ? namesOf(each).stream() : Stream.of(each.getSimpleName()))
                .toList();
    }

    private static void note(Decision decision) {
        switch (decision) {
            case Decision.Accepted accepted ->
                    accepted.events().forEach(event -> VISITED.add(nameOf(event)));
            case Decision.Rejected rejected -> VISITED.add(rejected.reason().name());
        }
    }

    private static void note(CheckedJob checked, JobState state, JobCommand command) {
        if (!(state instanceof Job job)) {
            VISITED.add("Unsubmitted x " + nameOf(command));
            return;
        }
        VISITED.add(nameOf(job.phase()) + " x " + nameOf(command));
        switch (command) {
            case JobCommand.CompleteStep c -> noteStep(checked, job, c.step(), command);
            case JobCommand.FailStep c -> noteStep(checked, job, c.step(), command);
            case JobCommand.Grant c -> noteTask(job, c.task(), command);
            case JobCommand.ResolveTask c -> noteTask(job, c.task(), command);
            case JobCommand.AskQuestion c -> noteTask(job, c.task(), command);
            case JobCommand.Report c -> {
                noteTask(job, c.task(), command);
                noteLingering(job, c.token().value(), command);
            }
            case JobCommand.EndLease c -> {
                noteTask(job, c.task(), command);
                noteLingering(job, c.token().value(), command);
            }
            case JobCommand.FireTimer(var _, var timerKind, var _, var _) -> {
                switch (timerKind) {
                    case TimerKind.BranchTimer(int branch) -> noteBranch(job, branch, command);
                    case TimerKind.TaskTimer(int task) -> noteTask(job, task, command);
                    case TimerKind.JobDeadline _, TimerKind.CancelGrace _ -> {}
                }
            }
            case JobCommand.ConfirmChild c -> noteChild(job, c.child(), command);
            case JobCommand.RefuseChild c -> noteChild(job, c.child(), command);
            case JobCommand.EndChild c -> noteChild(job, c.child(), command);
            case JobCommand.ConfirmStop c -> noteChild(job, c.child(), command);
            case JobCommand.Submit _,
                    JobCommand.ConfirmParentNotified _,
                    JobCommand.SettleWebhook _,
                    JobCommand.ResolveQuarantine _,
                    JobCommand.Rewind _,
                    JobCommand.Fork _,
                    JobCommand.Signal _,
                    JobCommand.DecideApproval _,
                    JobCommand.AnswerQuestion _,
                    JobCommand.ChangeJob _,
                    JobCommand.PauseJob _,
                    JobCommand.ExtendBudget _,
                    JobCommand.ResumeJob _,
                    JobCommand.Cancel _ -> {}
        }
    }

    private static void noteStep(CheckedJob checked, Job job, EffectId step, JobCommand command) {
        checked.everAsked().stream()
                .filter(effect -> effect.id().equals(step))
                .forEach(effect -> {
                    if (effect instanceof Effect.RunStep run) {
                        noteBranch(job, run.branch(), command);
                    }
                });
    }

    private static void noteBranch(Job job, int branch, JobCommand command) {
        if (branch < job.branches().size()) {
            VISITED.add(nameOf(job.branches().get(branch).doing()) + " x " + nameOf(command));
        }
    }

    private static void noteTask(Job job, int number, JobCommand command) {
        if (number < 0 || number >= job.tasks().size()) {
            return;
        }
        var state = job.tasks().get(number).state();
        var name =
                switch (state) {
                    case Task.Open(Attempt.Queued _, int _, var _) -> "Queued";
                    case Task.Open(Attempt.Leased _, int _, var _) -> "Leased";
                    case Task.Open(Attempt.Parked _, int _, var _) -> "Parked";
                    case Task.Open(Attempt.Unanswered _, int _, var _) -> "Unanswered";
                    case Task.Planned _,
                            Task.Doubtful _,
                            Task.Succeeded _,
                            Task.Failed _,
                            Task.Cancelled _ ->
                            nameOf(state);
                };
        VISITED.add(name + " x " + nameOf(command));
    }

    private static void noteChild(Job job, int number, JobCommand command) {
        if (number >= 0 && number < job.children().children().size()) {
            var state = job.children().children().get(number).state();
            VISITED.add("child " + nameOf(state) + " x " + nameOf(command));
        }
    }

    private static void noteLingering(Job job, String token, JobCommand command) {
        var lingers =
                job.tasks().stream()
                        .flatMap(task -> task.lingering().stream())
                        .anyMatch(revoked -> revoked.lease().token().value().equals(token));
        if (lingers) {
            VISITED.add("Lingering x " + nameOf(command));
        }
    }

    private static String nameOf(Object value) {
        return value.getClass().getSimpleName();
    }
}
