package dev.artel.kernel.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Jobs that begin in the middle of the life of another one.
final class ForkTest {
    private static final Outcomes ON = Outcomes.on("success", "done");
    private static final TaskSpec CUT = cut(1);
    private static final Payload RESULT = Payload.of(JsonObject.of("cut", JsonValue.of(true)));

    private static TaskSpec cut(int page) {
        return TaskSpec.of("cut", JsonObject.of("page", JsonValue.of(page)));
    }

    private static RecordedResult recorded(int task, TaskSpec spec) {
        return new RecordedResult(
                task, spec.type(), spec.params(), new WorkerId("anna"), "success", RESULT);
    }

    private static Story forked(RecordedResult... results) {
        var story = new Story();
        story.accepted(
                new JobCommand.Fork(
                        Story.spec(JobOptions.DEFAULTS),
                        new JobId("other"),
                        JobData.of(JsonObject.of("page", JsonValue.of(7))),
                        List.of(results),
                        "client alice",
                        story.now()));
        return story;
    }

    @Test
    void aFork_beginsWithTheDataOfThatTime_andSaysWhereItComesFrom() {
        var story = forked();

        assertThat(story.events())
                .extracting(event -> event.getClass().getSimpleName())
                .containsExactly("JobSubmitted", "JobForked", "StateEntered");
        assertThat(story.job().data().get("page")).contains(Payload.of(JsonValue.of(7)));
    }

    @Test
    void aTaskWithTheSameInputs_isNotDoneAgain() {
        var story = forked(recorded(3, CUT));

        story.step(0, Action.dispatch(CUT, ON));

        assertThat(story.branch(0).state()).isEqualTo("done");
        assertThat(story.pending(Effect.Offer.class)).isEmpty();
        assertThat(story.job().data().get("cut")).contains(Payload.of(JsonValue.of(true)));
        assertThat(story.job().recordedResult()).isEmpty();
    }

    @Test
    void aTaskWithOtherInputs_isDone() {
        var story = forked(recorded(3, CUT));

        story.step(0, Action.dispatch(cut(2), ON));

        assertThat(story.pending(Effect.Offer.class)).hasSize(1);
        assertThat(story.job().recordedResult()).hasSize(1);
    }

    /// Two letters to the same person are two letters, if both were asked for.
    @Test
    void aResult_isUsedOnce() {
        var story = forked(recorded(3, CUT));

        story.step(0, Action.dispatchParallel(List.of(CUT, CUT), "join"));

        assertThat(story.task(0)).isInstanceOf(Task.Succeeded.class);
        assertThat(story.pending(Effect.Offer.class))
                .extracting(Effect.Offer::task)
                .containsExactly(1);
        story.succeeds(1);
        assertThat(story.branch(0).state()).isEqualTo("join");
    }

    @Test
    void ofAFanOut_onlyWhatIsMissing_isDone_alsoBehindItsWindow() {
        var story = forked(recorded(0, cut(0)), recorded(1, cut(1)), recorded(2, cut(2)));

        story.step(
                0,
                Action.dispatchParallel(List.of(cut(0), cut(1), cut(2), cut(3)), "join")
                        .withWindow(1));

        assertThat(story.pending(Effect.Offer.class))
                .extracting(Effect.Offer::task)
                .containsExactly(3);
        story.succeeds(3);
        assertThat(story.branch(0).state()).isEqualTo("join");
    }

    @Test
    void whatAJobHasBrought_isRecorded() {
        var story = Story.of(Action.dispatch(CUT, ON));
        story.succeeds(0);

        assertThat(RecordedResult.of(story.job()))
                .extracting(RecordedResult::task, RecordedResult::type, RecordedResult::params)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(0, "cut", CUT.params()));
    }
}
