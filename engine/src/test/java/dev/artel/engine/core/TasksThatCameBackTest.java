package dev.artel.engine.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.placement.Placement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Tasks that go back from worker to worker, each of which has given back little.
final class TasksThatCameBackTest {
    private static final Duration TERM = Duration.ofMinutes(10);
    private static final String PATTERN = "eve-*";

    private final CoordinatorCore coordinator = new CoordinatorCore(TERM, new SplittableRandom(1));
    private final List<CoordinatorOutput> outputs = new ArrayList<>();
    private Instant now = Samples.NOW;
    private long asks;
    private int effects;
    private int names;

    /// A name that suits better than that of `honest`, and was not used before.
    private WorkerId another(String holder) {
        var worker = new WorkerId("eve-" + names++);
        join(worker, 10_000, holder);
        return worker;
    }

    private void join(WorkerId worker, int slots, String holder) {
        put(
                new CoordinatorInput.Joined(
                        WorkerProfile.of(worker, List.of("work"), slots).heldBy(holder)));
    }

    /// It is less suitable than any other, as one of its slots is taken.
    private void joinHonest() {
        join(Samples.WORKER, 2, Samples.WORKER.value());
        hold("busy", 1, placed("busy", 0, 1, Samples.WORKER));
    }

    private void put(CoordinatorInput input) {
        coordinator.on(input, new CoordinatorTime(now, now), outputs::add);
    }

    /// The grant of an attempt, for which some workers ask.
    private JobCommand.Grant placed(String job, int task, int attempt, WorkerId... asking) {
        for (var worker : asking) {
            put(new CoordinatorInput.Asked(++asks, worker, 1));
        }
        var like = Samples.offer(task, 0, now);
        var offer =
                new Effect.Offer(
                        new EffectId(++effects, task),
                        task,
                        attempt,
                        like.outline(),
                        like.priority(),
                        like.client(),
                        like.opened(),
                        like.notBefore(),
                        like.failedOn());
        put(new CoordinatorInput.Effects(new JobId(job), List.of(offer), List.of()));
        var last = (CoordinatorOutput.Command) outputs.getLast();
        assertThat(last.job().value()).isEqualTo(job);
        return (JobCommand.Grant) last.command();
    }

    private Effect.HoldLease hold(String job, int attempt, JobCommand.Grant grant) {
        var lease = new Lease(grant.token(), grant.worker(), attempt, now.plus(TERM));
        var hold =
                new Effect.HoldLease(
                        new EffectId(++effects, 0),
                        grant.task(),
                        lease,
                        Samples.TASK,
                        "blueprint",
                        0);
        put(new CoordinatorInput.Effects(new JobId(job), List.of(hold), List.of()));
        return hold;
    }

    /// Places an attempt, and its worker gives it back.
    private WorkerId returned(String job, int attempt, LeaseEnd.Returned why, WorkerId... asking) {
        var grant = placed(job, 0, attempt, asking);
        var hold = hold(job, attempt, grant);
        put(new CoordinatorInput.Ended(grant.token(), why));
        put(new CoordinatorInput.Effects(new JobId(job), List.of(), List.of(hold)));
        now = now.plusSeconds(2);
        return grant.worker();
    }

    private WorkerId returned(String job, WorkerId... asking) {
        return returned(job, 1, LeaseEnd.Returned.RELEASED, asking);
    }

    /// Trap: the first time is excused for each name, and a token is good for many.
    @Test
    void aTaskThatCameBackTwice_goesToTheWorkerThatHasGivenNothingBackForLongest() {
        joinHonest();
        assertThat(returned("j", another(""), Samples.WORKER)).isNotEqualTo(Samples.WORKER);
        assertThat(returned("j", another(""), Samples.WORKER)).isNotEqualTo(Samples.WORKER);
        var third = another("");

        var grant = placed("j", 0, 1, third, Samples.WORKER);

        assertThat(grant.worker()).isEqualTo(Samples.WORKER);
        assertThat(grant.placement().because())
                .isEqualTo(
                        "first of 2 that asked and could take it: longest without giving anything back, as the task came back again and again");
        assertThat(grant.placement().best())
                .extracting(Placement.Candidate::worker)
                .containsExactly(Samples.WORKER, third);
        assertThat(grant.placement().best().getFirst().score())
                .extracting(Placement.Figure::name)
                .containsExactly("last_back_of_token", "last_back");
    }

    @Test
    void ofTheTokenOfManyNames_oneTimeCountsAgainstAll_alsoThoseThatCameFirst() {
        var names = List.of(another(PATTERN), another(PATTERN), another(PATTERN));
        joinHonest();
        assertThat(returned("j", names.get(0), Samples.WORKER)).isEqualTo(names.get(0));
        assertThat(returned("j", names.get(1), Samples.WORKER)).isEqualTo(names.get(1));

        assertThat(placed("j", 0, 1, names.get(2), Samples.WORKER).worker())
                .isEqualTo(Samples.WORKER);
    }

    /// Each name has its turn once, whatever the task.
    @Test
    void ofWorkersWithOneToken_theOneThatGaveSomethingBackLastComesLast() {
        var names = List.of(another(""), another(""));
        join(Samples.WORKER, 2, "");
        hold("busy", 1, placed("busy", 0, 1, Samples.WORKER));
        for (var job : List.of("a", "b")) {
            returned(job, names.get(0), Samples.WORKER);
            returned(job, names.get(1), Samples.WORKER);
        }

        for (var job : List.of("a", "b")) {
            var grant = placed(job, 0, 1, names.get(0), names.get(1), Samples.WORKER);
            assertThat(grant.worker()).isEqualTo(Samples.WORKER);
            var hold = hold(job, 1, grant);
            put(new CoordinatorInput.Effects(new JobId(job), List.of(), List.of(hold)));
        }
    }

    /// Trap: workers that drain, one after another, are no enemies: all else goes to the best, and so does a task that came back once.
    @Test
    void aTaskThatCameBackOnce_andAllOthers_goToTheBest() {
        joinHonest();
        returned("j", another(PATTERN), Samples.WORKER);
        var best = another(PATTERN);
        assertThat(returned("j", best, Samples.WORKER)).isEqualTo(best);

        assertThat(placed("k", 0, 1, another(PATTERN), Samples.WORKER).worker())
                .isNotEqualTo(Samples.WORKER);
        assertThat(placed("j", 1, 1, another(PATTERN), Samples.WORKER).worker())
                .isNotEqualTo(Samples.WORKER);
        // The next attempt is another one: it may have failed on the worker that had it.
        assertThat(placed("j", 0, 2, another(PATTERN), Samples.WORKER).worker())
                .isNotEqualTo(Samples.WORKER);
    }

    @Test
    void aTaskThatCameBackTwice_isOneAmongOthers_afterAWhile() {
        joinHonest();
        returned("j", another(PATTERN), Samples.WORKER);
        returned("j", another(PATTERN), Samples.WORKER);
        now = now.plus(Duration.ofMinutes(10));

        assertThat(placed("j", 0, 1, another(PATTERN), Samples.WORKER).worker())
                .isNotEqualTo(Samples.WORKER);
    }

    /// The orchestrator itself had no memory for its parameters.
    @Test
    void aTaskForWhichThereWasNoRoom_didNotComeBack() {
        joinHonest();
        for (var i = 0; i < 3; i++) {
            assertThat(
                            returned(
                                    "j",
                                    1,
                                    LeaseEnd.Returned.NO_ROOM,
                                    another(PATTERN),
                                    Samples.WORKER))
                    .isNotEqualTo(Samples.WORKER);
        }
    }

    /// A worker that leaves and comes again is the youngest.
    @Test
    void aWorkerThatComesAgain_hasNoMoreCreditThanANewOne() {
        var old = another("");
        join(Samples.WORKER, 2, "");
        hold("busy", 1, placed("busy", 0, 1, Samples.WORKER));
        returned("j", another(""), Samples.WORKER);
        returned("j", another(""), Samples.WORKER);
        put(new CoordinatorInput.Left(old, LeaseEnd.Lost.WORKER_GONE));
        join(old, 10_000, "");

        assertThat(placed("j", 0, 1, old, Samples.WORKER).worker()).isEqualTo(Samples.WORKER);
    }
}
