package dev.artel.engine.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.SampleJobs;
import dev.artel.engine.core.RoutedEffects;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.child.ChildMode;
import dev.artel.kernel.child.ChildSpec;
import dev.artel.kernel.engine.ChildCommands;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.job.BlueprintRef;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.job.JobSpec;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.store.UnavailableKeyValueStore;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.waits.Await;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// A child whose blueprint is not there any more.
final class ChildRelayTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final BlockingQueue<JobCommand> given = new LinkedBlockingQueue<>();

    private final ChildRelay.Post post =
            new ChildRelay.Post() {
                @Override
                public void send(JobId job, JobCommand command) {
                    given.add(command);
                }

                @Override
                public void ask(JobId job, JobCommand command, Consumer<CommandReply> onReply) {
                    throw new AssertionError("nobody is there to be asked " + command);
                }
            };

    private final Blueprints blueprints = new Blueprints();
    private final BlockingQueue<JobId> repeated = new LinkedBlockingQueue<>();
    private Consumer<JobId> lookingAgain = repeated::add;
    private final MissingDefinitions missing =
            new MissingDefinitions(blueprints, job -> lookingAgain.accept(job));

    private ChildRelay relay(boolean childIsThere) {
        return relay(
                childIsThere,
                new ChildRelay.Values(new LargeValues(new AllInline()), _ -> JobRoom.Share.ALONE),
                post);
    }

    private ChildRelay relay(boolean childIsThere, ChildRelay.Values values, ChildRelay.Post to) {
        var relay =
                new ChildRelay(
                        blueprints,
                        _ -> new InitialDataChecks.Finding.Checked(List.of()),
                        values,
                        InstantSource.fixed(NOW),
                        to,
                        (options, _) -> options,
                        _ -> childIsThere,
                        missing,
                        new StandingPauses(new UnavailableKeyValueStore()));
        relay.open();
        return relay;
    }

    private static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
        var next = queue.poll(Await.seconds(), TimeUnit.SECONDS);
        assertThat(next).isNotNull();
        return next;
    }

    private static Effect startOf(Job parent) {
        return Jobs.pending(parent).stream()
                .filter(Effect.StartChild.class::isInstance)
                .findFirst()
                .orElseThrow();
    }

    /// Trap: a jar is missing at a start, and the parent of a child that was about to begin has failed for good.
    @Test
    void whoHasNotBegun_isHeld_andStartsWhenTheDefinitionComes() throws InterruptedException {
        try (var relay = relay(false)) {
            var parent = parent();

            relay.perform(parent, RoutedEffects.of(Jobs.pending(parent)).crossJob());

            assertThat(next(repeated)).as("looked at once more").isEqualTo(parent.id());
            assertThat(relay.isUnderWay(parent.id(), startOf(parent).id())).isTrue();
            assertThat(given).isEmpty();
            assertThat(missing.jobs()).isOne();
            assertThat(missing.count()).isOne();
            blueprints.register(film());
            assertThat(next(repeated)).isEqualTo(parent.id());
        }
        missing.close();
    }

    /// Trap: what a job brings along is found by its name, and the child of another job starts with it.
    @Test
    void aPlannedDefinition_isForTheChildrenOfItsCard_andOfItsClientThatNameItsVersion() {
        var planned =
                Blueprint.named("film")
                        .version("0.0.0-sha256.a")
                        .start("one", _ -> Action.finish(JsonObject.EMPTY))
                        .build();
        blueprints.registerPlanned(planned, Set.of("client"));
        var parent = SampleJobs.SPEC;
        var ofCard = new BlueprintRef("plan", planned.version(), "graph");

        assertThat(missing.find(parent, child(Optional.empty()))).isEmpty();
        assertThat(missing.why(parent, child(Optional.empty()))).isPresent();
        assertThat(missing.find(parent, child(Optional.of(planned.version())))).contains(planned);
        assertThat(
                        missing.find(
                                ofClient(parent.blueprint()),
                                child(Optional.of(planned.version()))))
                .isEmpty();
        assertThat(missing.why(ofClient(parent.blueprint()), child(Optional.of(planned.version()))))
                .hasValueSatisfying(
                        why -> assertThat(why).contains("there is no blueprint 'film'"));
        assertThat(missing.find(ofClient(ofCard), child(Optional.of(planned.version()))))
                .as("a fork of another client goes on with the card")
                .contains(planned);
    }

    private static JobSpec ofClient(BlueprintRef blueprint) {
        return new JobSpec(
                blueprint,
                "start",
                "another",
                JobData.EMPTY,
                JobOptions.DEFAULTS,
                JobSpec.CURRENT_RULES);
    }

    private static ChildSpec child(Optional<String> version) {
        return new ChildSpec(
                "film",
                version,
                JobData.EMPTY,
                new LinkedHashMap<>(),
                Optional.empty(),
                ChildMode.AWAITED,
                "film");
    }

    /// Trap: a job that is cancelled waits forever for a child that cannot be started.
    @Test
    void whoIsNotWantedAnyMore_isRefused() throws InterruptedException {
        try (var relay = relay(false)) {
            var parent = parent();
            relay.perform(parent, RoutedEffects.of(Jobs.pending(parent)).crossJob());
            assertThat(next(repeated)).isEqualTo(parent.id());
            var cancelled = SampleJobs.after(parent, new JobCommand.Cancel("not wanted", NOW));

            relay.review(cancelled);

            assertThat(next(given)).isInstanceOf(JobCommand.RefuseChild.class);
            assertThat(missing.jobs()).isZero();
        }
    }

    /// Trap: a job is cancelled in the moment in which the start of its child is held, and nobody refuses the child any more.
    @Test
    void whoIsNotWantedAnyMore_whenItIsLookedAtOnceMore_isRefused() throws InterruptedException {
        try (var relay = relay(false)) {
            var parent = parent();
            var cancelled = SampleJobs.after(parent, new JobCommand.Cancel("not wanted", NOW));
            lookingAgain = _ -> relay.review(cancelled);

            relay.perform(parent, RoutedEffects.of(Jobs.pending(parent)).crossJob());

            assertThat(next(given)).isInstanceOf(JobCommand.RefuseChild.class);
            assertThat(missing.jobs()).isZero();
        }
    }

    /// Trap: the orchestrator dies after a child has begun, is started without its blueprint, and the parent takes the
    /// child for refused while it lives.
    @Test
    void whoHadBegunBefore_isConfirmed() throws InterruptedException {
        try (var relay = relay(true)) {
            var parent = parent();

            relay.perform(parent, RoutedEffects.of(Jobs.pending(parent)).crossJob());

            assertThat(next(given)).isInstanceOf(JobCommand.ConfirmChild.class);
            assertThat(missing.jobs()).isZero();
        }
    }

    /// Trap: each result of many children is small, and all of them are in the memory of their parent until it joins them.
    @Test
    void aResultThatIsLargeForOneOfMany_isKeptApartFromItsParent() throws InterruptedException {
        assertThat(reported(3_000)).isInstanceOf(Payload.Ref.class);
        assertThat(reported(1_000)).isInstanceOf(Payload.Inline.class);
    }

    private Payload reported(int characters) throws InterruptedException {
        var values =
                new ChildRelay.Values(
                        new LargeValues(new KeepsApart()),
                        job ->
                                job.equals(parent().id())
                                        ? new JobRoom.Share(3_000, true)
                                        : JobRoom.Share.ALONE);
        try (var relay = relay(true, values, new Reported())) {
            var child = finished(characters);
            relay.perform(child, RoutedEffects.of(Jobs.pending(child)).crossJob());
            return ((JobCommand.EndChild) next(given)).report().data();
        }
    }

    /// A child of [#parent] whose result has as many characters.
    private static Job finished(int characters) {
        var parent = parent();
        var start = (Effect.StartChild) startOf(parent);
        var child =
                SampleJobs.after(
                        new JobState.Unsubmitted(start.job()),
                        ChildCommands.start(parent, start, film(), NOW));
        var step =
                Jobs.pending(child).stream()
                        .filter(Effect.RunStep.class::isInstance)
                        .findFirst()
                        .orElseThrow();
        var result = JsonObject.of("text", JsonValue.of("y".repeat(characters)));
        return SampleJobs.after(
                child,
                new JobCommand.CompleteStep(step.id(), Action.finish(result), List.of(), NOW));
    }

    private final class Reported implements ChildRelay.Post {
        @Override
        public void send(JobId job, JobCommand command) {
            throw new AssertionError("nobody answers with " + command);
        }

        @Override
        public void ask(JobId job, JobCommand command, Consumer<CommandReply> onReply) {
            given.add(command);
        }
    }

    private static Blueprint film() {
        return Blueprint.named("film").start("one", _ -> Action.finish(JsonObject.EMPTY)).build();
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
