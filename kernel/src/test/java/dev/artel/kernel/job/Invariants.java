package dev.artel.kernel.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.attempt.Attempt;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.branch.JoinPolicy;
import dev.artel.kernel.branch.JoinState;
import dev.artel.kernel.child.Child;
import dev.artel.kernel.timer.TimerKind;
import java.util.List;
import java.util.SequencedMap;

/// What is true of a job at every moment.
final class Invariants {
    private Invariants() {}

    /// @param windows the window of each fan-out, by its first task
    static void check(Job job, SequencedMap<Integer, Integer> windows) {
        var pending = Jobs.pending(job);
        assertThat(pending.isEmpty()).as("closed is: nothing pending").isEqualTo(job.isClosed());
        assertThat(job.leased())
                .as("counted leases")
                .isEqualTo(job.tasks().stream().mapToInt(Invariants::leases).sum());
        assertThat(job.lingering())
                .as("counted lingering leases")
                .isEqualTo(job.tasks().stream().mapToInt(t -> t.lingering().size()).sum());
        checkChildren(job);
        checkQuestions(job);
        checkPause(job, pending);
        hold(
                !job.isFinal()
                        || job.compensationLog().running().isEmpty()
                        || job.compensationLog().registered().isEmpty(),
                "a job that has compensated what it did has nothing left",
                0);
        for (var i = 0; i < job.branches().size(); i++) {
            hold(job.branches().get(i).id() == i, "a branch's id is its index", i);
        }
        for (var i = 0; i < job.tasks().size(); i++) {
            checkTask(job, job.tasks().get(i), i);
        }
        for (var branch : job.branches()) {
            checkBranch(job, branch, windows);
        }
    }

    private static void checkQuestions(Job job) {
        var characters = 0L;
        for (var task : job.tasks()) {
            for (var answer : task.answers()) {
                assertThat(job.questions().taskOf(answer.number())).hasValue(task.id());
                characters += answer.characters();
            }
            if (task.asked().isPresent()) {
                var open = task.asked().get();
                assertThat(job.questions().taskOf(open.number())).hasValue(task.id());
                characters += open.question().characters();
            }
        }
        assertThat(job.questions().characters())
                .as("characters of questions")
                .isGreaterThanOrEqualTo(characters);
    }

    private static void checkPause(Job job, List<Effect> pending) {
        hold(job.pause().isEmpty() || !job.isFinal(), "a final job is not paused", 0);
        for (var effect : pending) {
            var begins =
                    effect instanceof Effect.RunStep
                            || effect instanceof Effect.Offer
                            || (effect instanceof Effect.ScheduleTimer timer
                                    && timer.timerKind() instanceof TimerKind.BranchTimer);
            hold(job.pause().isEmpty() || !begins, "a paused job begins nothing", 0);
        }
    }

    private static void checkChildren(Job job) {
        var children = job.children();
        var lent = 0;
        var pending = 0;
        for (var i = 0; i < children.children().size(); i++) {
            var child = children.children().get(i);
            hold(child.number() == i, "a child's number is its index", i);
            hold(
                    !(job.isFinal() && child.state() instanceof Child.Running),
                    "a final job waits for no child",
                    i);
            hold(
                    !(job.isFinal() && child.state() instanceof Child.Planned),
                    "a final job plans no child",
                    i);
            lent += child.lent();
            pending += child.isPending() ? 1 : 0;
        }
        assertThat(children.lent()).as("lent steps").isEqualTo(lent);
        assertThat(children.pending()).as("pending children").isEqualTo(pending);
        if (lent > 0) {
            assertThat(job.steps()).as("steps of a tree").isLessThanOrEqualTo(job.stepsAllowed());
        }
    }

    private static void checkTask(Job job, Task task, int index) {
        hold(task.id() == index, "a task's id is its index", index);
        if (task.isUnsettled()) {
            hold(!job.isFinal(), "a final job waits for no task", index);
            hold(
                    awaits(job.branches().get(task.branch()), task.id()),
                    "an open task is awaited by its branch",
                    index);
        }
    }

    private static void hold(boolean holds, String what, int index) {
        if (!holds) {
            throw new AssertionError(what + "; number " + index + " breaks that");
        }
    }

    private static boolean awaits(Branch branch, int task) {
        return switch (branch.doing()) {
            case Branch.AwaitingTask(int awaited, var _) -> awaited == task;
            case Branch.AwaitingTasks(var group) ->
                    task >= group.first() && task < group.first() + group.count();
            case Branch.Stepping _,
                    Branch.BackingOff _,
                    Branch.AwaitingBranches _,
                    Branch.AwaitingChild _,
                    Branch.AwaitingChildren _,
                    Branch.Waiting _,
                    Branch.AwaitingSignal _,
                    Branch.AwaitingApproval _,
                    Branch.Over _,
                    Branch.Stopped _ ->
                    false;
        };
    }

    private static void checkBranch(
            Job job, Branch branch, SequencedMap<Integer, Integer> windows) {
        var active = job.phase() instanceof Job.Active;
        if (active
                && !branch.isOver()
                && branch.id() != 0
                && !job.compensationLog().isAt(branch.id())) {
            var parent = job.branches().get(branch.parent());
            hold(
                    parent.doing() instanceof Branch.AwaitingBranches(var branches)
                            && branch.id() >= branches.first()
                            && branch.id() < branches.first() + branches.count(),
                    "a live branch is awaited by its parent",
                    branch.id());
        }
        if (!active) {
            return;
        }
        switch (branch.doing()) {
            case Branch.AwaitingTask(int task, var _) ->
                    hold(
                            job.tasks().get(task).state() instanceof Task.Open
                                    || job.tasks().get(task).state() instanceof Task.Doubtful,
                            "an awaited task is open, or in doubt",
                            task);
            case Branch.AwaitingTasks(var group) -> checkTasks(job, group, windows);
            case Branch.AwaitingBranches(var group) -> checkBranches(job, group);
            case Branch.AwaitingChild(int child, var _) ->
                    hold(
                            job.children().children().get(child).state() instanceof Child.Asked
                                    || job.children().children().get(child).state()
                                            instanceof Child.Running,
                            "an awaited child lives",
                            child);
            case Branch.AwaitingChildren(var group) -> checkChildren(job, group);
            case Branch.AwaitingSignal wait ->
                    hold(
                            job.signals().first(wait.signal()).isEmpty(),
                            "nobody waits for a signal that is there",
                            branch.id());
            case Branch.Stepping _,
                    Branch.BackingOff _,
                    Branch.Waiting _,
                    Branch.AwaitingApproval _ -> {}
            case Branch.Over _, Branch.Stopped _ ->
                    hold(
                            branch.id() != 0 || job.compensationLog().running().isPresent(),
                            "branch 0 lives in an active job",
                            branch.id());
        }
    }

    private static void checkTasks(
            Job job, JoinState group, SequencedMap<Integer, Integer> windows) {
        var open = 0;
        var planned = 0;
        var succeeded = 0;
        var failed = 0;
        for (var i = group.first(); i < group.first() + group.count(); i++) {
            switch (job.tasks().get(i).state()) {
                case Task.Open _, Task.Doubtful _ -> open++;
                case Task.Planned _ -> planned++;
                case Task.Succeeded _ -> succeeded++;
                case Task.Failed _ -> failed++;
                case Task.Cancelled _ -> throw new AssertionError("task " + i + " is cancelled");
            }
        }
        assertThat(open).as("open tasks").isBetween(1, windows.get(group.first()));
        assertThat(planned).as("planned tasks").isEqualTo(group.count() - group.started());
        assertThat(succeeded).as("succeeded tasks").isEqualTo(group.succeeded());
        assertThat(failed).as("failed tasks").isEqualTo(group.failed());
        assertThat(group.progress()).isEqualTo(JoinPolicy.Progress.WAIT);
        if (planned > 0) {
            assertThat(open).as("the window is used").isEqualTo(windows.get(group.first()));
        }
    }

    private static void checkChildren(Job job, JoinState group) {
        var live = 0;
        var planned = 0;
        var finished = 0;
        var failed = 0;
        for (var i = group.first(); i < group.first() + group.count(); i++) {
            switch (job.children().children().get(i).state()) {
                case Child.Asked _, Child.Running _ -> live++;
                case Child.Planned _ -> planned++;
                case Child.Ended(var outcome, int _, var _)
                        when outcome.equals(Outcomes.FINISHED) ->
                        finished++;
                case Child.Ended _, Child.Refused _ -> failed++;
                case Child.Withdrawn _,
                        Child.Unwanted _,
                        Child.Free _,
                        Child.Stopping _,
                        Child.Stopped _ ->
                        throw new AssertionError("child " + i + " is not wanted");
            }
        }
        assertThat(live).as("living children").isBetween(1, group.window());
        assertThat(planned).as("planned children").isEqualTo(group.count() - group.started());
        assertThat(finished).as("finished children").isEqualTo(group.succeeded());
        assertThat(failed).as("failed children").isEqualTo(group.failed());
        assertThat(group.progress()).isEqualTo(JoinPolicy.Progress.WAIT);
        if (planned > 0) {
            assertThat(live).as("the window is used").isEqualTo(group.window());
        }
    }

    private static void checkBranches(Job job, JoinState group) {
        var live = 0;
        var succeeded = 0;
        var failed = 0;
        for (var i = group.first(); i < group.first() + group.count(); i++) {
            switch (job.branches().get(i).doing()) {
                case Branch.Over(boolean well, boolean _) when well -> succeeded++;
                case Branch.Over _ -> failed++;
                case Branch.Stopped _ -> throw new AssertionError("branch " + i + " is stopped");
                case Branch.Stepping _,
                        Branch.BackingOff _,
                        Branch.Waiting _,
                        Branch.AwaitingSignal _,
                        Branch.AwaitingApproval _,
                        Branch.AwaitingTask _,
                        Branch.AwaitingTasks _,
                        Branch.AwaitingBranches _,
                        Branch.AwaitingChild _,
                        Branch.AwaitingChildren _ ->
                        live++;
            }
        }
        assertThat(live).as("live branches").isPositive();
        assertThat(succeeded).as("succeeded branches").isEqualTo(group.succeeded());
        assertThat(failed).as("failed branches").isEqualTo(group.failed());
        assertThat(group.progress()).isEqualTo(JoinPolicy.Progress.WAIT);
    }

    /// What never changes again.
    static void checkChange(Job before, Job after) {
        if (before.isFinal()) {
            assertThat(after.phase()).as("final stays final").isEqualTo(before.phase());
            assertThat(after.data()).as("the data of a final job").isEqualTo(before.data());
        }
        if (before.guardBaseline().run() != after.guardBaseline().run()) {
            return; // what was before counts no more
        }
        for (var task : before.tasks()) {
            hold(
                    task.isUnsettled() || after.tasks().get(task.id()).state().equals(task.state()),
                    "a task has one outcome",
                    task.id());
        }
        for (var branch : before.branches()) {
            hold(
                    branch.id() == 0
                            || !branch.isOver()
                            || after.compensationLog().isAt(branch.id())
                            || after.branches().get(branch.id()).doing().equals(branch.doing()),
                    "a branch ends once",
                    branch.id());
        }
    }

    /// One, or two of a task that is hedged.
    private static int leases(Task task) {
        hold(
                task.asked().isEmpty() || task.hedge().isEmpty(),
                "what waits for an answer is not hedged",
                task.id());
        hold(
                task.asked()
                        .flatMap(openQuestion -> task.answerTo(openQuestion.question().id()))
                        .isEmpty(),
                "what is asked has no answer",
                task.id());
        var isLeased = task.state() instanceof Task.Open(Attempt.Held _, int _, var _);
        hold(isLeased || task.hedge().isEmpty(), "only what is with a worker is hedged", task.id());
        return (isLeased ? 1 : 0) + (Hedge.lease(task).isPresent() ? 1 : 0);
    }
}
