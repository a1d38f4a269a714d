package dev.artel.kernel.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.placement.Exclusion;
import dev.artel.kernel.task.ErrorClass;
import dev.artel.kernel.task.RetryPolicy;
import dev.artel.kernel.timer.TimerKind;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Which workers a task remembers because it has failed on them.
final class FailedOnTest {
    private static Story waiting(Exclusion exclusion) {
        var spec =
                Story.TASK
                        .withRetry(RetryPolicy.DEFAULTS.withMaxAttempts(50))
                        .demanding(it -> it.afterFailure(exclusion));
        return Story.of(Action.dispatch(spec, Outcomes.on("success", "done")));
    }

    private static void failOn(Story story, String worker) {
        story.grant(0, worker);
        story.fails(0, ErrorClass.TRANSIENT);
    }

    private static List<String> offered(Story story) {
        return story.pending(Effect.Offer.class).getFirst().failedOn().stream()
                .map(WorkerId::value)
                .toList();
    }

    @Test
    void workersOnWhichItFailed_areNamedOnce_theLatestLast() {
        var story = waiting(Exclusion.NEVER_AGAIN);

        failOn(story, "anna");
        failOn(story, "bert");
        assertThat(offered(story)).containsExactly("anna", "bert");

        failOn(story, "anna");
        assertThat(offered(story)).containsExactly("bert", "anna");
    }

    @Test
    void aTaskWithoutExclusion_isOfferedWithoutThem() {
        var story = waiting(Exclusion.NONE);

        failOn(story, "anna");

        assertThat(offered(story)).isEmpty();
        assertThat(story.job().tasks().get(0).failedOn()).containsExactly(new WorkerId("anna"));
    }

    /// Trap: a worker that died, or that never had the task, is held against it as a failure.
    @Test
    void aLostOrReturnedHandOut_isNoFailureOfTheWorker() {
        var story = waiting(Exclusion.NEVER_AGAIN);

        story.ends(0, story.grant(0, "anna"), LeaseEnd.Lost.WORKER_GONE);
        story.ends(0, story.grant(0, "bert"), LeaseEnd.Returned.RELEASED);

        assertThat(offered(story)).isEmpty();
    }

    @Test
    void onlySoMany_areRemembered() {
        var story = waiting(Exclusion.NEVER_AGAIN);

        IntStream.range(0, Task.MOST_REMEMBERED + 3).forEach(i -> failOn(story, "w" + i));

        assertThat(offered(story)).hasSize(Task.MOST_REMEMBERED).startsWith("w3").endsWith("w22");
    }

    @Test
    void anAttemptThatRanTooLong_countsAsAFailureOfItsWorker() {
        var story = waiting(Exclusion.NEVER_AGAIN);

        story.grant(0, "anna");
        story.fires(new TimerKind.TaskTimer(0));

        assertThat(offered(story)).containsExactly("anna");
    }
}
