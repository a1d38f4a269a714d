package dev.artel.engine.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.SampleJobs;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.store.PayloadStore;
import dev.artel.kernel.task.Payload;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// A child whose blueprint is not there any more.
final class FamilyRelayTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final BlockingQueue<JobCommand> given = new LinkedBlockingQueue<>();

    private final FamilyRelay.Post post =
            new FamilyRelay.Post() {
                @Override
                public void send(JobId job, JobCommand command) {
                    given.add(command);
                }

                @Override
                public void ask(JobId job, JobCommand command, Consumer<CommandReply> told) {
                    throw new AssertionError("nobody is there to be asked " + command);
                }
            };

    private static final class AllInline implements PayloadStore {
        @Override
        public Payload keep(JsonValue value) {
            return Payload.of(value);
        }

        @Override
        public JsonValue resolve(Payload payload) {
            return payload instanceof Payload.Inline(var value) ? value : JsonObject.EMPTY;
        }
    }

    private JobCommand answerIf(boolean childIsThere) throws InterruptedException {
        try (var relay =
                new FamilyRelay(
                        new Blueprints(),
                        new LargeValues(new AllInline()),
                        InstantSource.fixed(NOW),
                        post,
                        (options, _) -> options,
                        _ -> childIsThere)) {
            relay.open();
            var parent = parent();
            relay.perform(parent, Jobs.pending(parent));
            var answer = given.poll(10, TimeUnit.SECONDS);
            assertThat(answer).isNotNull();
            return answer;
        }
    }

    @Test
    void whoHasNotBegun_isRefused() throws InterruptedException {
        assertThat(answerIf(false))
                .isInstanceOfSatisfying(
                        JobCommand.RefuseChild.class,
                        refusal -> assertThat(refusal.reason()).contains("film"));
    }

    /// Trap: the orchestrator dies after a child has begun, is started without its blueprint, and the parent takes the
    /// child for refused while it lives.
    @Test
    void whoHadBegunBefore_isConfirmed() throws InterruptedException {
        assertThat(answerIf(true)).isInstanceOf(JobCommand.ConfirmChild.class);
    }

    private static Job parent() {
        var begun = SampleJobs.submitted("j", NOW);
        var step =
                Jobs.pending(begun).stream()
                        .filter(Effect.RunStep.class::isInstance)
                        .findFirst()
                        .orElseThrow();
        var run =
                Action.runBlueprint(
                        "film", JsonObject.EMPTY, Outcomes.on(Outcomes.FINISHED, "done"));
        return SampleJobs.after(begun, new JobCommand.CompleteStep(step.id(), run, List.of(), NOW));
    }
}
