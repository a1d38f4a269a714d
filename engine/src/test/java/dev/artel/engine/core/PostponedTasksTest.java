package dev.artel.engine.core;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.placement.WaitReason;
import dev.artel.kernel.task.TaskOutline;
import dev.artel.kernel.task.TaskSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Tasks for which there is no room in the queues.
final class PostponedTasksTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final JobId EVES = new JobId("eves");
    private static final JobId BOBS = new JobId("bobs");

    private final CoordinatorCore coordinator =
            new CoordinatorCore(Duration.ofMinutes(1), new SplittableRandom(1), 20);

    private Instant now = NOW;

    private List<CoordinatorOutput> put(CoordinatorInput input) {
        var outputs = new ArrayList<CoordinatorOutput>();
        coordinator.on(input, new CoordinatorTime(now, now), outputs::add);
        return outputs;
    }

    private List<CoordinatorOutput> tick() {
        return put(new CoordinatorInput.Tick(now));
    }

    private static List<Effect.Indexed> offers(String client, int from, int until) {
        return IntStream.range(from, until)
                .<Effect.Indexed>mapToObj(i ->
                        new Effect.Offer(
                                new EffectId(i + 1, 0),
                                i,
                                1,
                                TaskOutline.of("b", TaskSpec.of("work", JsonObject.EMPTY)),
                                0,
                                client,
                                NOW,
                                NOW,
                                List.of()))
                .toList();
    }

    /// Trap: one client has jobs with millions of tasks, all of which wait in memory, also after each restart.
    @Test
    void tasksBeyondTheShareOfTheirClient_waitOutsideOfMemory_andThoseOfOthersDoNot() {
        put(new CoordinatorInput.Effects(EVES, offers("eve", 0, 30), List.of()));
        assertThat(coordinator.queued()).isEqualTo(8);

        put(new CoordinatorInput.Effects(BOBS, offers("bob", 0, 3), List.of()));

        assertThat(coordinator.queued()).isEqualTo(11);
        assertThat(put(new CoordinatorInput.WhyNotYet(1, EVES, List.of(7, 29))))
                .singleElement()
                .isInstanceOfSatisfying(
                        CoordinatorOutput.Why.class,
                        why -> {
                            assertThat(requireNonNull(why.reasons().get(7)).hold())
                                    .isInstanceOf(WaitReason.NoWorkers.class);
                            assertThat(requireNonNull(why.reasons().get(29)).text())
                                    .isEqualTo(
                                            "8 tasks of client eve wait in the queues, as many as may; it joins the queue when some of those have gone to workers");
                        });
        assertThat(offers("eve", 0, 30)).allMatch(offer -> coordinator.holds(EVES, offer));
        assertThat(tick()).isEmpty();
    }

    /// Trap: tasks are counted, and what is kept of each job beside its tasks fills the memory where each job has one.
    @Test
    void aJobTakesAsMuchRoomAsTwoTasks() {
        for (var i = 0; i < 30; i++) {
            put(
                    new CoordinatorInput.Effects(
                            new JobId("eves-" + i), offers("eve", 0, 1), List.of()));
        }

        assertThat(coordinator.queued()).isEqualTo(4);

        for (var i = 0; i < 4; i++) {
            put(
                    new CoordinatorInput.Effects(
                            new JobId("eves-" + i), List.of(), offers("eve", 0, 1)));
        }
        put(new CoordinatorInput.Effects(BOBS, offers("bob", 0, 30), List.of()));

        assertThat(coordinator.queued()).isEqualTo(8);
    }

    @Test
    void whenOthersOfItsClientAreGone_aJobIsAskedAgain_untilItAnswers() {
        put(new CoordinatorInput.Effects(BOBS, offers("bob", 0, 3), List.of()));
        put(new CoordinatorInput.Effects(EVES, offers("eve", 0, 30), List.of()));
        assertThat(coordinator.queued()).isEqualTo(3 + 5);

        put(new CoordinatorInput.Effects(EVES, List.of(), offers("eve", 0, 4)));

        assertThat(tick()).containsExactly(new CoordinatorOutput.Again(EVES));
        // Trap: each tick asks for jobs whose reading has not ended, and as many more.
        assertThat(tick()).isEmpty();
        now = now.plusSeconds(1);
        assertThat(tick()).containsExactly(new CoordinatorOutput.Again(EVES));
        put(new CoordinatorInput.AllPending(EVES, offers("eve", 4, 30)));
        assertThat(coordinator.queued()).isEqualTo(3 + 5);
        assertThat(tick()).isEmpty();

        put(new CoordinatorInput.AllPending(EVES, offers("eve", 28, 30)));
        assertThat(coordinator.queued()).isEqualTo(3 + 2);
        assertThat(tick()).isEmpty();
        assertThat(coordinator.holds(EVES, offers("eve", 4, 5).getFirst())).isFalse();
    }

    /// Trap: a client has a hundred thousand jobs of one task each, of which one is asked again each second beside idle workers.
    @Test
    void asManyJobsAsThereIsRoomFor_areAskedAgainAtOnce() {
        var jobs = IntStream.range(0, 30).mapToObj(i -> new JobId("eves-" + i)).toList();
        for (var job : jobs) {
            put(new CoordinatorInput.Effects(job, offers("eve", 0, 1), List.of()));
        }
        assertThat(coordinator.queued()).isEqualTo(4);

        var asked = new ArrayList<CoordinatorOutput>();
        for (var job : jobs.subList(0, 4)) {
            asked.addAll(put(new CoordinatorInput.Effects(job, List.of(), offers("eve", 0, 1))));
        }

        assertThat(asked)
                .containsExactlyElementsOf(
                        jobs.subList(4, 8).stream().map(CoordinatorOutput.Again::new).toList());
        assertThat(put(new CoordinatorInput.AllPending(jobs.get(4), offers("eve", 0, 1))))
                .isEmpty();
        assertThat(put(new CoordinatorInput.AllPending(jobs.get(5), List.of())))
                .containsExactly(new CoordinatorOutput.Again(jobs.get(8)));
    }

    @Test
    void aJobThatCannotBeRead_isNotAskedAgain() {
        put(new CoordinatorInput.Effects(EVES, offers("eve", 0, 30), List.of()));

        put(new CoordinatorInput.Unreadable(EVES));

        assertThat(coordinator.queued()).isZero();
        assertThat(tick()).isEmpty();
    }
}
