package dev.artel.server.api.figures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobEvent.JobEnded;
import dev.artel.kernel.job.JobEvent.JobSubmitted;
import dev.artel.kernel.job.JobEvent.StateEntered;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.job.JobState.Unsubmitted;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.task.Payload;
import dev.artel.testkit.store.SampleAppends;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StateFiguresTest {
    private static final Instant NOW = SampleAppends.SUBMITTED;

    private final StateFigures figures = figures(100);

    private static StateFigures figures(int most) {
        return new StateFigures(InstantSource.fixed(NOW), most);
    }

    private static Blueprint blueprint(String name) {
        return Blueprint.named(name)
                .start("begin", _ -> Action.transitionTo("end"))
                .leadingTo("end")
                .state("end", step -> Action.finish(step.data()))
                .build();
    }

    private static JobEvent entered(String state, Instant at) {
        return new StateEntered(0, state, new StepCause.Started(), at);
    }

    private static Job submitted(StateFigures figures, String id, Blueprint blueprint, Instant at) {
        var plain = (JobSubmitted) SampleAppends.PLAIN.submit(id).events().getFirst();
        var events =
                List.of(
                        new JobSubmitted(plain.spec().withBlueprint(blueprint.ref()), at),
                        entered("begin", at));
        var job = (Job) Jobs.evolve(new Unsubmitted(new JobId(id)), events).after();
        figures.happened(job, events);
        return job;
    }

    private static JobEvent ended(Instant at) {
        return new JobEnded(new JobOutcome.Finished(Payload.EMPTY), at);
    }

    @Test
    void aPieceOfTheScale_isNearToAllOfItsTimes() {
        for (var millis = 0L; millis < Duration.ofDays(49).toMillis(); millis += 1 + millis / 50) {
            var middle = StateFigures.middle(StateFigures.piece(millis));

            assertThat((double) Math.abs(middle - millis))
                    .as("%d for %d", middle, millis)
                    .isLessThanOrEqualTo(millis / 16.0);
        }
    }

    @Test
    void timesInAState_areThoseOfAllWhoLeftIt_alsoOverAClockThatWasSetBack() {
        var blueprint = blueprint("sample");
        for (var i = 1; i <= 100; i++) {
            var job = submitted(figures, "job" + i, blueprint, NOW);
            figures.happened(job, List.of(entered("end", NOW.plusMillis(i * 100L))));
            figures.happened(job, List.of(ended(NOW.minusSeconds(60))));
        }

        var found = figures.of(blueprint).byState();

        assertThat(found.getFirst().entered()).isEqualTo(100);
        assertThat(found.getFirst().now()).isZero();
        var times = found.getFirst().times().orElseThrow();
        assertThat(times.count()).isEqualTo(100);
        assertThat(times.p50()).isBetween(4_700L, 5_350L);
        assertThat(times.p95()).isBetween(8_900L, 10_100L);
        assertThat(found.getLast().times().orElseThrow().p99()).isZero();
    }

    /// Trap: each plan of a process that plans itself is a definition, and their counters fill the memory.
    @Test
    void whereThereIsNoRoom_theDefinitionGoes_thatWasBegunWithLongestAgo() {
        var small = figures(3);
        var one = blueprint("one");
        var two = blueprint("two");
        var job = submitted(small, "a", one, NOW);
        small.happened(job, List.of(entered("end", NOW.plusSeconds(10))));
        var _ = submitted(small, "b", two, NOW.plusSeconds(20));
        assertThat(small.of(one).byState().getFirst().entered()).isEqualTo(1);

        var other = submitted(small, "c", two, NOW.plusSeconds(30));
        small.happened(other, List.of(entered("end", NOW.plusSeconds(40))));

        assertThat(small.of(two).byState())
                .extracting(StateFigures.StateCount::entered)
                .containsExactly(2L, 1L);
        assertThat(small.of(one).byState())
                .extracting(StateFigures.StateCount::entered)
                .containsExactly(0L, 0L);
        small.happened(job, List.of(ended(NOW.plusSeconds(50))));
        assertThat(small.of(one).byState().getLast().now()).isZero();
    }
}
