package dev.artel.kernel.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.attempt.Attempt;
import dev.artel.kernel.budget.BudgetLedger;
import dev.artel.kernel.budget.BudgetLimit;
import dev.artel.kernel.budget.Spending;

/// What is true of the budget of a job behind each event.
final class BudgetInvariants {
    private BudgetInvariants() {}

    static void check(JobState before, JobEvent event, Job after) {
        assertThat(after.budget().isPresent()).isEqualTo(after.spec().budget().isPresent());
        after.budget()
                .ifPresent(ledger -> {
                    checkSums(after, ledger);
                    checkUse(before, event, after, ledger);
                });
    }

    /// The ledger says what tasks and children say.
    private static void checkSums(Job job, BudgetLedger ledger) {
        var reserved = Spending.NONE;
        var withheld = 0;
        for (var task : job.tasks()) {
            if (task.state() instanceof Task.Open(var attempt, int _, var _)) {
                if (attempt instanceof Attempt.Held held) {
                    reserved = reserved.plus(held.lease().reserved());
                }
                var waits = attempt instanceof Attempt.Queued queued && queued.withheld();
                withheld += waits ? 1 : 0;
                assertThat(ledger.waiting().has(task.id())).isEqualTo(waits);
            }
            var second = Hedge.lease(task);
            if (second.isPresent()) {
                reserved = reserved.plus(second.get().reserved());
            }
        }
        var granted = Spending.NONE;
        for (var child : job.children().children()) {
            granted = granted.plus(child.granted());
        }
        assertThat(ledger.reserved()).as("reserved").isEqualTo(reserved);
        assertThat(ledger.granted()).as("granted to children").isEqualTo(granted);
        assertThat(ledger.withheld()).as("withheld tasks").isEqualTo(withheld);
        assertThat(ledger.unknown().least(ledger.settled()))
                .as("what is unknown is a part of what is settled")
                .isEqualTo(ledger.unknown());
    }

    /// Nothing begins that does not fit. Only what turns out dearer than it was reserved breaks a limit, and what compensates.
    private static void checkUse(JobState before, JobEvent event, Job job, BudgetLedger ledger) {
        var was = before instanceof Job begun ? begun.budget() : job.budget();
        for (var limit : BudgetLimit.values()) {
            var most = ledger.limits().of(limit);
            var used = ledger.used().of(limit);
            var earlier = was.map(it -> it.used().of(limit)).orElse(0L);
            if (used <= most || used <= earlier) {
                continue;
            }
            var mayExceed =
                    event instanceof JobEvent.AttemptSettled
                            || event instanceof JobEvent.ChildEnded
                            || (event instanceof JobEvent.LeaseGranted granted
                                    && job.compensationLog()
                                            .isAt(job.tasks().get(granted.task()).branch()));
            assertThat(mayExceed)
                    .as("%s of %s are used of %s after %s", used, limit, most, event)
                    .isTrue();
        }
    }
}
