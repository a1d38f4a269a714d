package dev.artel.simulation.card;

import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.Jobs;
import dev.artel.simulation.card.RandomCard.Place;
import dev.artel.simulation.card.RandomStep.Act;
import dev.artel.simulation.card.RandomStep.Ask;
import dev.artel.simulation.card.RandomStep.Await;
import dev.artel.simulation.card.RandomStep.Choose;
import dev.artel.simulation.card.RandomStep.Complete;
import dev.artel.simulation.card.RandomStep.Pause;
import dev.artel.simulation.card.RandomStep.Run;
import dev.artel.simulation.card.RandomStep.Together;
import dev.artel.simulation.judges.JobJudge;
import dev.artel.simulation.world.World;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/// Judges that a process of a card that has not ended asks for something, and that each of its branches waits for what its step names:
/// a task, an event, a person, time, branches or other processes.
final class CardWaitInvariants implements JobJudge {
    private final World world;
    private final Map<String, SequencedMap<String, Place>> places = new HashMap<>();

    CardWaitInvariants(World world, Map<String, RandomCard> cards) {
        this.world = world;
        cards.forEach((name, card) -> places.put(name, card.places()));
    }

    @Override
    public void judge(Job before, JobEvent event, List<JobEvent> behind) {
        var card = places.get(before.spec().blueprint().name());
        if (card == null || !behind.isEmpty()) {
            return;
        }
        var job = (Job) Jobs.effectsOf(before, event).after();
        if (!job.isClosed() && Jobs.pending(job).isEmpty()) {
            throw world.failure("the process of job " + job.id() + " waits for nothing: " + job);
        }
        if (!job.goesOn() || job.compensationLog().running().isPresent()) {
            return;
        }
        for (var branch : job.branches()) {
            if (!branch.isOver() && !fits(card, branch)) {
                throw world.failure(
                        "the process of job "
                                + job.id()
                                + " is in state "
                                + branch.state()
                                + ", and waits for something else: "
                                + branch.doing());
            }
        }
    }

    private static boolean fits(SequencedMap<String, Place> card, Branch branch) {
        if (branch.doing() instanceof Branch.Stepping
                || branch.doing() instanceof Branch.BackingOff) {
            return true;
        }
        var state = branch.state();
        var place = card.get(state);
        if (place != null) {
            return fits(place.step().work(), branch.doing());
        }
        return switch (branch.doing()) {
            case Branch.AwaitingApproval wait ->
                    state.endsWith(".escalated")
                            && wait.approval().choices().states().containsKey("retry");
            case Branch.AwaitingTask _ -> state.endsWith(".quality");
            case Branch.AwaitingBranches _ -> state.startsWith("fork.");
            default -> false;
        };
    }

    private static boolean fits(RandomStep.Work work, Branch.Doing doing) {
        return switch (work) {
            case Act _ -> doing instanceof Branch.AwaitingTask;
            case Await wait ->
                    doing instanceof Branch.AwaitingSignal signal
                            && signal.signal().equals(wait.event())
                            && signal.deadline().isPresent() == wait.seconds() > 0;
            case Ask ask ->
                    doing instanceof Branch.AwaitingApproval wait
                            && wait.approval().choices().states().containsKey("approve")
                            && wait.deadline().isPresent() == ask.seconds() > 0;
            case Pause _ -> doing instanceof Branch.Waiting;
            case Together _ -> doing instanceof Branch.AwaitingBranches;
            case Run _ -> doing instanceof Branch.AwaitingChildren;
            case Choose _, Complete _ -> false;
        };
    }
}
