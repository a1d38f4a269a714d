package dev.artel.simulation.card;

import dev.artel.kernel.budget.Budget;
import dev.artel.kernel.budget.BudgetLimit;
import dev.artel.kernel.budget.Spending;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.Jobs;
import dev.artel.simulation.judges.JobJudge;
import dev.artel.simulation.world.ScriptedNames;
import dev.artel.simulation.world.World;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Judges that the processes of cards have the budgets of their cards, and that what is settled, reserved and granted is never more than that: but for
/// attempts that have cost more than they reserved, and for what compensates.
final class CardBudgetInvariants implements JobJudge {
    private final World world;
    private final Map<String, RandomCard> cards;
    private final Map<JobId, Spending> beyond = new HashMap<>();

    CardBudgetInvariants(World world, Map<String, RandomCard> cards) {
        this.world = world;
        this.cards = cards;
    }

    @Override
    public void judge(Job before, JobEvent event, List<JobEvent> behind) {
        var card = cards.get(before.spec().blueprint().name());
        if (card == null) {
            return;
        }
        if (!beyond.containsKey(before.id())) {
            beyond.put(before.id(), Spending.NONE);
            begun(before, card);
        }
        if (before.budget().isEmpty()) {
            return;
        }
        var more = beyond.merge(before.id(), beyond(before, event), Spending::plus);
        var after = ((Job) Jobs.effectsOf(before, event).after()).budget().orElseThrow();
        for (var limit : BudgetLimit.values()) {
            var most = after.limits().of(limit);
            if (most != Spending.UNLIMITED && after.used().of(limit) - more.of(limit) > most) {
                throw world.failure(
                        "the process of job "
                                + before.id()
                                + " has settled, reserved and granted more than it may: "
                                + after
                                + ", of which "
                                + more
                                + " may be beyond");
            }
        }
    }

    /// It has the budget of its card; less, if its parent has granted less.
    private void begun(Job job, RandomCard card) {
        var own = job.spec().budget();
        if (!Budget.least(own, card.budget()).equals(own)
                || (isSubmitted(job) && !own.equals(card.budget()))) {
            throw world.failure(
                    "the process of job "
                            + job.id()
                            + " begins with "
                            + own
                            + ", and its card allows "
                            + card.budget());
        }
    }

    /// A fork may have the part that a parent granted to the job off which it was forked.
    private static boolean isSubmitted(Job job) {
        return job.spec().parentLink().isEmpty()
                && !job.id().value().startsWith(ScriptedNames.FORK);
    }

    /// How much more than was reserved or granted `event` may take.
    private static Spending beyond(Job job, JobEvent event) {
        return switch (event) {
            case JobEvent.AttemptSettled settled -> over(settled.spent(), settled.reserved());
            case JobEvent.ChildEnded ended ->
                    over(
                            ended.report().spent(),
                            job.children().children().get(ended.child()).granted());
            case JobEvent.LeaseGranted granted
                    when job.compensationLog().isAt(job.tasks().get(granted.task()).branch()) ->
                    granted.lease().reserved();
            default -> Spending.NONE;
        };
    }

    private static Spending over(Spending spent, Spending expected) {
        var over = Spending.NONE;
        for (var limit : BudgetLimit.values()) {
            over = over.with(limit, Math.max(0, spent.of(limit) - expected.of(limit)));
        }
        return over;
    }
}
