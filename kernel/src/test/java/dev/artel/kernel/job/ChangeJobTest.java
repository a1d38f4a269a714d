package dev.artel.kernel.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.task.RetryPolicy;
import dev.artel.kernel.task.TaskLimits;
import dev.artel.kernel.timer.TimerKind;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Jobs whose clients give them another priority or other labels while they live.
final class ChangeJobTest {
    private static final Outcomes ON = Outcomes.on("success", "second");

    @Test
    void aQueuedTask_isOfferedAnewWithTheNewPriority() {
        var story = Story.of(Action.dispatch(Story.TASK, ON));
        var before = story.pending(Effect.Offer.class).getFirst();

        story.accepted(priority(story, 5));

        var after = story.pending(Effect.Offer.class).getFirst();
        assertThat(after.priority()).isEqualTo(5);
        assertThat(after.opened()).isEqualTo(before.opened());
        story.assertRefused(
                Story.grantOf(before, "late", "anna", story.now()),
                Decision.Reason.STALE_EFFECT,
                "job job-1: offer " + before.id() + " of task 0 is no longer open");
        story.succeeds(0);
        assertThat(story.branch(0).state()).isEqualTo("second");
    }

    @Test
    void theDispatchDeadlineOfAQueuedTask_staysAsItWas() {
        var task =
                Story.TASK.withLimits(
                        new TaskLimits(
                                RetryPolicy.DEFAULTS,
                                3,
                                Optional.of(Duration.ofSeconds(60)),
                                Duration.ofSeconds(30)));
        var story = Story.of(Action.dispatch(task, ON));
        var due = story.timer(new TimerKind.TaskTimer(0));

        story.after(Duration.ofSeconds(30)).accepted(priority(story, 5));

        assertThat(story.timer(new TimerKind.TaskTimer(0))).isEqualTo(due);
    }

    @Test
    void whatIsWithAWorker_goesOnAsItBegan_andLaterTasksHaveTheNewPriority() {
        var story = Story.of(Action.dispatch(Story.TASK, ON));
        story.grant(0, "anna");
        var held = story.pending(Effect.HoldLease.class);

        story.accepted(priority(story, 5));

        assertThat(story.pending(Effect.HoldLease.class)).isEqualTo(held);
        story.succeeds(0);
        story.step(0, Action.dispatch(Story.TASK, ON));
        assertThat(story.pending(Effect.Offer.class).getFirst().priority()).isEqualTo(5);
    }

    @Test
    void labels_areMerged() {
        var story = Story.begun(JobOptions.DEFAULTS.with(0, labels("team", "red", "stage", "one")));

        var events =
                story.accepted(
                        change(
                                story,
                                new JobPatch(
                                        Optional.empty(),
                                        labels("stage", "two", "run", "7"),
                                        List.of("team", "unknown"))));

        assertThat(events)
                .containsExactly(
                        new JobEvent.JobChanged(
                                0, labels("stage", "two", "run", "7"), "client", story.now()));
        assertThat(List.copyOf(story.job().spec().options().labels().keySet()))
                .containsExactly("stage", "run");
    }

    @Test
    void theSameAgain_changesNothing() {
        var story = Story.begun();
        story.accepted(priority(story, 5));

        assertThat(story.accepted(priority(story, 5))).isEmpty();
    }

    @Test
    void tooManyLabels_areRefused() {
        var story = Story.begun(JobOptions.DEFAULTS.with(0, labels("team", "red")));
        var many = new LinkedHashMap<String, String>();
        IntStream.range(0, 50).forEach(i -> many.put("label-" + i, "value"));

        story.assertRefused(
                change(story, new JobPatch(Optional.empty(), many, List.of())),
                Decision.Reason.FULL,
                "job job-1 cannot be changed: it would have 51 labels, and takes at most 50; remove"
                        + " some, with null for their value");
    }

    @Test
    void aJobThatIsOver_staysAsItIs() {
        var story = Story.of(Action.finish(JsonObject.EMPTY));

        story.assertRefused(
                priority(story, 5),
                Decision.Reason.FINAL,
                "job job-1 cannot be changed: it is already finished since "
                        + story.now()
                        + ", and the priority and labels of a job that is over stay");
    }

    private static JobCommand priority(Story story, double priority) {
        return change(story, new JobPatch(Optional.of(priority), new LinkedHashMap<>(), List.of()));
    }

    private static JobCommand change(Story story, JobPatch patch) {
        return new JobCommand.ChangeJob(patch, "client", story.now());
    }

    private static SequencedMap<String, String> labels(String... pairs) {
        var labels = new LinkedHashMap<String, String>();
        for (var i = 0; i < pairs.length; i += 2) {
            labels.put(pairs[i], pairs[i + 1]);
        }
        return labels;
    }
}
