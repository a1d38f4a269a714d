package dev.artel.engine.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.blueprint.StepHandler;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.job.JobSpec;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.store.NoKeyValueStore;
import dev.artel.kernel.store.PayloadStore;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Steps that run before what asks for them is durable.
final class StepRunnerTest {
    private static final Duration PATIENT = Duration.ofMinutes(1);
    private static final PayloadStore SMALL =
            new PayloadStore() {
                @Override
                public Payload keep(JsonValue value) {
                    return Payload.of(value);
                }

                @Override
                public JsonValue resolve(Payload payload) {
                    throw new IllegalStateException("nothing here is large");
                }
            };

    @Test
    void aPureStep_saysWhatCameOfIt() throws Exception {
        assertThat(outcomeOf(PATIENT, _ -> Action.finish(JsonObject.EMPTY)))
                .containsInstanceOf(JobCommand.CompleteStep.class);
    }

    @Test
    void aPureStepThatTakesLong_isNotWaitedFor() throws Exception {
        var never = new CountDownLatch(1);
        try {
            assertThat(
                            outcomeOf(
                                    Duration.ofMillis(1),
                                    _ -> {
                                        never.await();
                                        return Action.finish(JsonObject.EMPTY);
                                    }))
                    .isEmpty();
        } finally {
            never.countDown();
        }
    }

    /// Trap: a handler that calls itself for ever takes its thread along, and its job hangs.
    @Test
    void aHandlerThatOverflowsItsStack_hasFailed() throws Exception {
        assertThat(outcomeOf(PATIENT, StepRunnerTest::callsItself))
                .containsInstanceOf(JobCommand.FailStep.class);
    }

    private static Action callsItself(Step step) {
        return callsTheOther(step);
    }

    private static Action callsTheOther(Step step) {
        return callsItself(step);
    }

    @Test
    void aPureStep_mayUseNoDataStore() throws Exception {
        assertThat(
                        outcomeOf(
                                PATIENT,
                                step -> {
                                    step.store("seen").get("key");
                                    return Action.finish(JsonObject.EMPTY);
                                }))
                .hasValueSatisfying(outcome ->
                        assertThat(outcome)
                                .isInstanceOfSatisfying(
                                        JobCommand.FailStep.class,
                                        failed ->
                                                assertThat(failed.toString())
                                                        .contains("take pure from the state")));
    }

    private static Optional<JobCommand> outcomeOf(Duration ahead, StepHandler handler)
            throws Exception {
        var blueprint =
                Blueprint.named("b").dataStore("seen").start("start", handler).pure().build();
        var blueprints = Blueprints.of(blueprint);
        var values = new LargeValues(SMALL);
        var told = new CompletableFuture<Optional<JobCommand>>();
        try (var runner =
                new StepRunner(
                        blueprints,
                        new StepCalls(
                                values,
                                new StepView(values, new NoKeyValueStore()),
                                new ActionKeeping(
                                        values, new ApprovalTokens(new NoKeyValueStore()))),
                        InstantSource.system(),
                        1,
                        ahead,
                        (_, command) -> told.complete(Optional.of(command)))) {
            var job = submitted(blueprint);
            var step = (Effect.RunStep) Jobs.pending(job).getFirst();
            runner.startAhead(job, step, told::complete);
            return told.get(60, TimeUnit.SECONDS);
        }
    }

    private static Job submitted(Blueprint blueprint) {
        var id = new JobId("j");
        var now = InstantSource.system().instant();
        var spec =
                new JobSpec(
                        blueprint.ref(),
                        "start",
                        "client",
                        JobData.EMPTY,
                        JobOptions.DEFAULTS,
                        JobSpec.CURRENT_RULES);
        var submit = new JobCommand.Submit(spec, now);
        if (Jobs.decide(new JobState.Unsubmitted(id), submit)
                        instanceof dev.artel.kernel.job.Decision.Accepted accepted
                && accepted.after() instanceof Job job) {
            return job;
        }
        throw new AssertionError("the job was not accepted");
    }
}
