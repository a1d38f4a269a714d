package dev.artel.store.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.job.BlueprintRef;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.job.JobSpec;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.job.QuarantineAction;
import dev.artel.kernel.job.Resolution;
import dev.artel.kernel.placement.Placement;
import dev.artel.kernel.task.ErrorClass;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskError;
import dev.artel.kernel.task.TaskReport;
import dev.artel.kernel.task.TaskSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A fold of any part of a random life, through its bytes, and the events behind it, through theirs, give the same job as
/// all events from the first.
final class FoldAndTailPropertyTest {
    private static final int COMMANDS = 120;
    private static final int CUTS = 5;
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
    private static final JobId ID = new JobId("j");
    private static final WorkerId WORKER = new WorkerId("w");
    private static final List<String> STATES = List.of("a", "b", "c");

    private final JsonEventCodec codec = new JsonEventCodec();

    static LongStream seeds() {
        var one = Long.getLong("seed");
        return one == null ? LongStream.range(0, Long.getLong("seeds", 300)) : LongStream.of(one);
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void aFoldAndWhatIsBehindIt_isTheJob(long seed) {
        var random = new SplittableRandom(seed);
        var life = new Life(random);
        for (var i = 0; i < COMMANDS; i++) {
            life.next();
        }
        var events = life.events;
        var whole = fold(new JobState.Unsubmitted(ID), events);
        assertThat(whole).isEqualTo(life.state);

        for (var i = 0; i < CUTS; i++) {
            var cut = random.nextInt(1, events.size() + 1);
            var prefix = (Job) fold(new JobState.Unsubmitted(ID), events.subList(0, cut));
            var kept = codec.decodeFold(codec.encode(prefix)).orElseThrow();
            var tail = codec.decode(codec.encode(events.subList(cut, events.size())));

            var folded = fold(kept, tail);

            assertThat(kept).as("-Dseed=%d at %d", seed, cut).isEqualTo(prefix);
            assertThat(folded).as("-Dseed=%d at %d", seed, cut).isEqualTo(whole);
            assertThat(Jobs.pending(folded))
                    .as("-Dseed=%d at %d", seed, cut)
                    .isEqualTo(Jobs.pending(whole));
        }
    }

    private static JobState fold(JobState from, List<JobEvent> events) {
        return Jobs.evolve(from, events).after();
    }

    /// A job to which happens what it asks for, and now and then something that it does not.
    private static final class Life {
        final List<JobEvent> events = new ArrayList<>();
        JobState state = new JobState.Unsubmitted(ID);
        private final SplittableRandom random;
        private Instant now = BEGIN;
        private int numbers;

        Life(SplittableRandom random) {
            this.random = random;
            give(new JobCommand.Submit(spec(), now));
        }

        private static JobSpec spec() {
            return new JobSpec(
                    new BlueprintRef("random", "1", "graph"),
                    "a",
                    "alice",
                    JobData.of(JsonObject.of("n", JsonValue.of(1))),
                    JobOptions.DEFAULTS,
                    JobSpec.CURRENT_RULES);
        }

        void next() {
            now = now.plusSeconds(random.nextInt(0, 90));
            var pending = Jobs.pending(state);
            var dice = random.nextInt(100);
            if (pending.isEmpty() || dice < 4) {
                give(new JobCommand.Signal(name(), "s" + numbers++, value(), "bob", now));
            } else if (dice < 5) {
                give(new JobCommand.Cancel("enough", now));
            } else {
                answer(pending.get(random.nextInt(pending.size())));
            }
        }

        private void give(JobCommand command) {
            if (Jobs.decide(state, command)
                    instanceof Decision.Accepted(var more, var after, var _, var _)) {
                events.addAll(more);
                state = after;
            }
        }

        private void answer(Effect effect) {
            switch (effect) {
                case Effect.RunStep step -> give(step(step));
                case Effect.Offer offer ->
                        give(
                                new JobCommand.Grant(
                                        offer.id(),
                                        offer.task(),
                                        LeaseToken.mint(
                                                ID, offer.task(), offer.attempt(), numbers++),
                                        WORKER,
                                        PLACEMENT,
                                        now));
                case Effect.HoldLease hold -> give(ofLease(hold));
                case Effect.HoldParked parked ->
                        give(
                                new JobCommand.EndLease(
                                        parked.task(),
                                        parked.lease().token(),
                                        LeaseEnd.Lost.EXPIRED,
                                        now));
                case Effect.Revoke revoke ->
                        give(
                                new JobCommand.EndLease(
                                        revoke.task(),
                                        revoke.lease().token(),
                                        LeaseEnd.Lost.EXPIRED,
                                        now));
                case Effect.ScheduleTimer timer -> {
                    now = timer.at().isAfter(now) ? timer.at() : now;
                    give(
                            new JobCommand.FireTimer(
                                    timer.id(), timer.timerKind(), random.nextDouble(), now));
                }
                case Effect.AwaitSignal wait ->
                        give(
                                new JobCommand.Signal(
                                        wait.signal(), "s" + numbers++, value(), "bob", now));
                case Effect.AwaitResolution wait ->
                        give(
                                new JobCommand.ResolveTask(
                                        wait.task(),
                                        new Resolution.Happened("success", value()),
                                        "bob",
                                        now));
                case Effect.AwaitOperator _ ->
                        give(
                                new JobCommand.ResolveQuarantine(
                                        new QuarantineAction.Retry(JobData.of(object())),
                                        "bob",
                                        now));
                case Effect.AwaitExtension wait ->
                        give(new JobCommand.ExtendBudget(wait.needed(), "bob", now));
                case Effect.AwaitResume _ -> give(new JobCommand.ResumeJob("bob", now));
                case Effect.AwaitApproval _,
                        Effect.AwaitAnswer _,
                        Effect.CrossJob _,
                        Effect.CallWebhook _ -> {}
            }
        }

        private JobCommand step(Effect.RunStep step) {
            return random.nextInt(8) == 0
                    ? new JobCommand.FailStep(step.id(), "no luck", true, random.nextDouble(), now)
                    : new JobCommand.CompleteStep(step.id(), action(), List.of(), now);
        }

        private JobCommand ofLease(Effect.HoldLease hold) {
            var token = hold.lease().token();
            if (random.nextInt(6) == 0) {
                return new JobCommand.EndLease(hold.task(), token, LeaseEnd.Lost.EXPIRED, now);
            }
            var report =
                    random.nextInt(4) == 0
                            ? new TaskReport.Failed(
                                    new TaskError(ErrorClass.TRANSIENT, "BUSY", "come again"))
                            : new TaskReport.Succeeded("success", value());
            return new JobCommand.Report(
                    hold.task(), token, WORKER, report, random.nextDouble(), now);
        }

        private Action action() {
            return switch (random.nextInt(12)) {
                case 0, 1 -> Action.transitionTo(state());
                case 2, 3, 4 -> Action.dispatch(task(), Outcomes.on("success", state()));
                case 5, 6 ->
                        Action.dispatchParallel(
                                        IntStream.range(0, random.nextInt(1, 6))
                                                .mapToObj(_ -> task())
                                                .toList(),
                                        state())
                                .withWindow(random.nextInt(1, 4));
                case 7 -> Action.fork(List.of("a", "b"), state());
                case 8 -> Action.waitFor(Duration.ofSeconds(random.nextInt(1, 50)), state());
                case 9 -> Action.awaitSignal(name(), state());
                case 10 -> Action.continueAsNew(state(), object());
                default -> random.nextInt(5) == 0 ? Action.finish(object()) : Action.endBranch();
            };
        }

        private TaskSpec task() {
            var spec = TaskSpec.of("work", object());
            return switch (random.nextInt(5)) {
                case 3 -> spec.notIdempotent();
                case 0 -> spec.withParams(slice());
                case 1 -> spec.hedgedAfter(Duration.ofSeconds(5));
                case 2 -> spec.limitedBy("tenant:" + random.nextInt(3));
                default -> spec;
            };
        }

        private Payload.Slice slice() {
            return new Payload.Slice(
                    "ab".repeat(32),
                    random.nextInt(1_000),
                    random.nextInt(1_000),
                    "%064x".formatted(random.nextInt(3)));
        }

        private Payload value() {
            return random.nextInt(4) == 0
                    ? new Payload.Ref("cd".repeat(32), 70_000)
                    : Payload.of(object());
        }

        private JsonObject object() {
            return JsonObject.of(
                    "n", JsonValue.of(random.nextInt(5)), "text", JsonValue.of("t" + numbers++));
        }

        private String state() {
            return STATES.get(random.nextInt(STATES.size()));
        }

        private String name() {
            return "signal-" + random.nextInt(3);
        }
    }

    private static final Placement PLACEMENT =
            new Placement(WORKER, "the only one", List.of(), new LinkedHashMap<>(), 1);
}
