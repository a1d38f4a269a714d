package dev.artel.kernel.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.delivery.Delivery;
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
        checkFamily(job);
        hold(
                !job.isFinal() || job.undo().running().isEmpty() || job.undo().done().isEmpty(),
                "a job that has undone what it did has nothing left",
                0);
        for (var i = 0; i < job.strands().size(); i++) {
            hold(job.strands().get(i).id() == i, "a strand's id is its index", i);
        }
        for (var i = 0; i < job.tasks().size(); i++) {
            checkTask(job, job.tasks().get(i), i);
        }
        for (var strand : job.strands()) {
            checkStrand(job, strand, windows);
        }
    }

    private static void checkFamily(Job job) {
        var family = job.family();
        var lent = 0;
        var pending = 0;
        for (var i = 0; i < family.children().size(); i++) {
            var child = family.children().get(i);
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
        assertThat(family.lent()).as("lent steps").isEqualTo(lent);
        assertThat(family.pending()).as("pending children").isEqualTo(pending);
        if (lent > 0) {
            assertThat(job.steps()).as("steps of a tree").isLessThanOrEqualTo(job.stepsAllowed());
        }
    }

    private static void checkTask(Job job, Task task, int index) {
        hold(task.id() == index, "a task's id is its index", index);
        if (task.isUnsettled()) {
            hold(!job.isFinal(), "a final job waits for no task", index);
            hold(
                    awaits(job.strands().get(task.strand()), task.id()),
                    "an open task is awaited by its strand",
                    index);
        }
    }

    private static void hold(boolean holds, String what, int index) {
        if (!holds) {
            throw new AssertionError(what + "; number " + index + " breaks that");
        }
    }

    private static boolean awaits(Strand strand, int task) {
        return switch (strand.doing()) {
            case Strand.AwaitingTask(int awaited, var _) -> awaited == task;
            case Strand.AwaitingTasks(var group) ->
                    task >= group.first() && task < group.first() + group.count();
            case Strand.Stepping _,
                    Strand.BackingOff _,
                    Strand.AwaitingBranches _,
                    Strand.AwaitingChild _,
                    Strand.AwaitingChildren _,
                    Strand.Waiting _,
                    Strand.AwaitingSignal _,
                    Strand.AwaitingApproval _,
                    Strand.Over _,
                    Strand.Stopped _ ->
                    false;
        };
    }

    private static void checkStrand(
            Job job, Strand strand, SequencedMap<Integer, Integer> windows) {
        var active = job.phase() instanceof Job.Active;
        if (active && !strand.isOver() && strand.id() != 0 && !job.undo().isAt(strand.id())) {
            var parent = job.strands().get(strand.parent());
            hold(
                    parent.doing() instanceof Strand.AwaitingBranches(var branches)
                            && strand.id() >= branches.first()
                            && strand.id() < branches.first() + branches.count(),
                    "a live branch is awaited by its parent",
                    strand.id());
        }
        if (!active) {
            return;
        }
        switch (strand.doing()) {
            case Strand.AwaitingTask(int task, var _) ->
                    hold(
                            job.tasks().get(task).state() instanceof Task.Open
                                    || job.tasks().get(task).state() instanceof Task.Doubtful,
                            "an awaited task is open, or in doubt",
                            task);
            case Strand.AwaitingTasks(var group) -> checkTasks(job, group, windows);
            case Strand.AwaitingBranches(var group) -> checkBranches(job, group);
            case Strand.AwaitingChild(int child, var _) ->
                    hold(
                            job.family().children().get(child).state() instanceof Child.Asked
                                    || job.family().children().get(child).state()
                                            instanceof Child.Running,
                            "an awaited child lives",
                            child);
            case Strand.AwaitingChildren(var group) -> checkChildren(job, group);
            case Strand.AwaitingSignal wait ->
                    hold(
                            job.signals().first(wait.signal()).isEmpty(),
                            "nobody waits for a signal that is there",
                            strand.id());
            case Strand.Stepping _,
                    Strand.BackingOff _,
                    Strand.Waiting _,
                    Strand.AwaitingApproval _ -> {}
            case Strand.Over _, Strand.Stopped _ ->
                    hold(
                            strand.id() != 0 || job.undo().running().isPresent(),
                            "strand 0 lives in an active job",
                            strand.id());
        }
    }

    private static void checkTasks(
            Job job, Gathering group, SequencedMap<Integer, Integer> windows) {
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
        assertThat(group.verdict()).isEqualTo(JoinPolicy.Verdict.WAIT);
        if (planned > 0) {
            assertThat(open).as("the window is used").isEqualTo(windows.get(group.first()));
        }
    }

    private static void checkChildren(Job job, Gathering group) {
        var live = 0;
        var planned = 0;
        var finished = 0;
        var failed = 0;
        for (var i = group.first(); i < group.first() + group.count(); i++) {
            switch (job.family().children().get(i).state()) {
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
        assertThat(group.verdict()).isEqualTo(JoinPolicy.Verdict.WAIT);
        if (planned > 0) {
            assertThat(live).as("the window is used").isEqualTo(group.window());
        }
    }

    private static void checkBranches(Job job, Gathering group) {
        var live = 0;
        var succeeded = 0;
        var failed = 0;
        for (var i = group.first(); i < group.first() + group.count(); i++) {
            switch (job.strands().get(i).doing()) {
                case Strand.Over(boolean well, boolean _) when well -> succeeded++;
                case Strand.Over _ -> failed++;
                case Strand.Stopped _ -> throw new AssertionError("branch " + i + " is stopped");
                case Strand.Stepping _,
                        Strand.BackingOff _,
                        Strand.Waiting _,
                        Strand.AwaitingSignal _,
                        Strand.AwaitingApproval _,
                        Strand.AwaitingTask _,
                        Strand.AwaitingTasks _,
                        Strand.AwaitingBranches _,
                        Strand.AwaitingChild _,
                        Strand.AwaitingChildren _ ->
                        live++;
            }
        }
        assertThat(live).as("live branches").isPositive();
        assertThat(succeeded).as("succeeded branches").isEqualTo(group.succeeded());
        assertThat(failed).as("failed branches").isEqualTo(group.failed());
        assertThat(group.verdict()).isEqualTo(JoinPolicy.Verdict.WAIT);
    }

    /// What never changes again.
    static void checkChange(Job before, Job after) {
        if (before.isFinal()) {
            assertThat(after.phase()).as("final stays final").isEqualTo(before.phase());
            assertThat(after.data()).as("the data of a final job").isEqualTo(before.data());
        }
        if (before.allowance().run() != after.allowance().run()) {
            return; // what was before counts no more
        }
        for (var task : before.tasks()) {
            hold(
                    task.isUnsettled() || after.tasks().get(task.id()).state().equals(task.state()),
                    "a task has one outcome",
                    task.id());
        }
        for (var strand : before.strands()) {
            hold(
                    strand.id() == 0
                            || !strand.isOver()
                            || after.undo().isAt(strand.id())
                            || after.strands().get(strand.id()).doing().equals(strand.doing()),
                    "a branch ends once",
                    strand.id());
        }
    }

    /// One, or two of a task that is hedged.
    private static int leases(Task task) {
        hold(
                task.asked().isEmpty() || task.hedge().isEmpty(),
                "what waits for an answer is not hedged",
                task.id());
        hold(
                task.asked().flatMap(asked -> task.answerTo(asked.question().id())).isEmpty(),
                "what is asked has no answer",
                task.id());
        var isLeased = task.state() instanceof Task.Open(Delivery.Held _, int _, var _);
        hold(isLeased || task.hedge().isEmpty(), "only what is with a worker is hedged", task.id());
        return (isLeased ? 1 : 0) + (Hedge.lease(task).isPresent() ? 1 : 0);
    }
}
