package dev.artel.engine.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.State;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Jobs;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Steps that only compute run before what asks for them is durable, and are written with it.
final class RunAheadTest {
    private static final EffectId FIRST_STEP = new EffectId(2, 0);

    private final JobsCore core =
            new JobsCore(
                    100_000,
                    (_, state) ->
                            Optional.of(
                                    new State(
                                            state,
                                            state.equals("start"),
                                            List.of("next"),
                                            Optional.of(_ -> Action.transitionTo("next")),
                                            false,
                                            true)));
    private final List<JobsOutput> outputs = new ArrayList<>();

    @BeforeEach
    void aJobIsSubmitted() {
        put(Samples.submit("j", 7));
    }

    @Test
    void theOutcomeOfAPureStep_isWrittenWithWhatAskedForIt() {
        assertThat(outputs)
                .singleElement()
                .isInstanceOfSatisfying(
                        JobsOutput.RunAhead.class,
                        ahead -> assertThat(ahead.step().id()).isEqualTo(FIRST_STEP));

        put(ranAhead(Optional.of(Samples.dispatch("j", FIRST_STEP).command())));
        put(new JobsInput.Reserved(Samples.job("j"), List.of()));

        assertThat(written())
                .containsExactly("JobSubmitted", "StateEntered", "StepDone", "TaskOpened");
        assertThat(outputs).doesNotContain(new JobsOutput.Answer(7, new CommandReply.Done(true)));
    }

    @Test
    void aPureStepThatTakesLong_isRunLikeAnyOther() {
        put(ranAhead(Optional.empty()));

        assertThat(written()).doesNotContain("StepDone");

        outputs.clear();
        put(new JobsInput.Committed(Samples.job("j")));

        assertThat(outputs)
                .filteredOn(JobsOutput.Effects.class::isInstance)
                .singleElement()
                .satisfies(effects ->
                        assertThat(((JobsOutput.Effects) effects).asked())
                                .singleElement()
                                .satisfies(step -> assertThat(step.id()).isEqualTo(FIRST_STEP)));
    }

    @Test
    void pureStepsThatLeadToEachOtherForever_areWrittenAfterSome() {
        for (var i = 0; i < 100 && writes().isEmpty(); i++) {
            var step = ((JobsOutput.RunAhead) outputs.getLast()).step();
            put(
                    ranAhead(
                            Optional.of(
                                    new JobCommand.CompleteStep(
                                            step.id(),
                                            Action.transitionTo("next"),
                                            List.of(),
                                            Samples.NOW))));
        }

        assertThat(written()).filteredOn("StepDone"::equals).hasSize(16);
    }

    @Test
    void whatIsCancelledMeanwhile_isNotGoneOnWith() {
        put(new JobsInput.Given(Samples.job("j"), new JobCommand.Cancel("enough", Samples.NOW), 8));
        put(ranAhead(Optional.of(Samples.dispatch("j", FIRST_STEP).command())));

        assertThat(written()).doesNotContain("StepDone", "TaskOpened");
        assertThat(writes().getFirst().append().row().status()).isEqualTo("cancelled");
    }

    @Test
    void anOutcomeThatCannotBeWritten_failsItsStep_andNotWhatLedToIt() {
        put(ranAhead(Optional.of(Samples.dispatch("j", FIRST_STEP).command())));
        put(new JobsInput.Reserved(Samples.job("j"), List.of()));
        outputs.clear();

        put(new JobsInput.AppendRefused(Samples.job("j"), "it is not text"));
        put(new JobsInput.Loaded(new JobState.Unsubmitted(Samples.job("j"))));

        assertThat(written()).containsExactly("JobSubmitted", "StateEntered");
        assertThat(outputs).noneMatch(JobsOutput.Answer.class::isInstance);

        var submitted = writes().getFirst().append().events();
        put(new JobsInput.Committed(Samples.job("j")));

        assertThat(outputs).contains(new JobsOutput.Answer(7, new CommandReply.Done(true)));

        outputs.clear();
        put(Samples.dispatch("j", FIRST_STEP));
        put(new JobsInput.Reserved(Samples.job("j"), List.of()));
        put(new JobsInput.AppendRefused(Samples.job("j"), "it is not text"));
        outputs.clear();
        put(new JobsInput.Loaded(fold(submitted)));

        assertThat(writes().getFirst().append().row().status()).isEqualTo("quarantined");
    }

    private static JobState fold(List<JobEvent> events) {
        return Jobs.evolve(new JobState.Unsubmitted(Samples.job("j")), events).after();
    }

    private static JobsInput.RanAhead ranAhead(Optional<JobCommand> outcome) {
        return new JobsInput.RanAhead(Samples.job("j"), outcome);
    }

    private List<String> written() {
        return writes().getFirst().append().events().stream()
                .map(event -> event.getClass().getSimpleName())
                .toList();
    }

    private List<JobsOutput.Write> writes() {
        return outputs.stream()
                .filter(JobsOutput.Write.class::isInstance)
                .map(JobsOutput.Write.class::cast)
                .toList();
    }

    private void put(JobsInput input) {
        core.on(input, outputs::add);
    }
}
