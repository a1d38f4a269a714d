package dev.artel.e2e.chaos;

import dev.artel.blueprint.BlueprintType;
import dev.artel.blueprint.Run;
import dev.artel.blueprint.RunFailed;
import dev.artel.blueprint.Signal;
import dev.artel.blueprint.TaskCall;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.BlueprintSource;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.RetryPolicy;
import dev.artel.kernel.task.TaskLimits;
import dev.artel.kernel.task.TaskSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// The blueprints of the chaos program, which the orchestrator loads from a jar. Tasks may be lost as often as chaos wants:
/// a job that ends otherwise than its [JobKind] states is a finding.
public final class ChaosBlueprints implements BlueprintSource {
    private static final TaskLimits PATIENT =
            new TaskLimits(
                    new RetryPolicy(100, Duration.ofMillis(100), 1.5, Duration.ofSeconds(1), 0.2),
                    1_000,
                    Optional.empty(),
                    Duration.ofSeconds(20));

    /// For the service loader.
    public ChaosBlueprints() {}

    @Override
    public List<Blueprint> blueprints() {
        var all = new ArrayList<>(states());
        all.addAll(ChaosFunctions.all());
        return all;
    }

    private static List<Blueprint> states() {
        return List.of(
                chain(),
                fan(),
                saga(),
                family(),
                timer(),
                flaky(),
                large(),
                approval(),
                signal(),
                function(),
                endlessLoop(),
                deaf(),
                hoard());
    }

    private static Blueprint.Builder named(JobKind jobKind) {
        return Blueprint.named(jobKind.blueprint());
    }

    private static TaskSpec task(String type, Step step) {
        return TaskSpec.of(type, step.initialData()).withLimits(PATIENT);
    }

    private static Outcomes success(String state) {
        return Outcomes.on("success", state);
    }

    private static Action finish(Step step) {
        return Action.finish(JsonObject.of("state", JsonValue.of(step.state())));
    }

    private static Blueprint chain() {
        return named(JobKind.CHAIN)
                .start("first", step -> Action.dispatch(task("note", step), success("second")))
                .leadingTo("second")
                .state("second", step -> Action.dispatch(task("note", step), success("third")))
                .leadingTo("third")
                .pure()
                .state("third", step -> Action.dispatch(task("note", step), success("done")))
                .leadingTo("done")
                .state("done", ChaosBlueprints::finish)
                .build();
    }

    private static Blueprint fan() {
        return named(JobKind.FAN)
                .start(
                        "spread",
                        step ->
                                Action.dispatchParallel(
                                        IntStream.range(0, 40)
                                                .mapToObj(_ -> task("note", step))
                                                .toList(),
                                        "join"))
                .leadingTo("join", "incomplete")
                .state(
                        "join",
                        step ->
                                step.results().size() == 40
                                        ? finish(step)
                                        : Action.transitionTo("incomplete"))
                .leadingTo("incomplete")
                .state("incomplete", step -> Action.fail("results: " + step.results().size()))
                .build();
    }

    /// What was reserved is released when the payment is declined, which the data show.
    private static Blueprint saga() {
        return named(JobKind.SAGA)
                .start(
                        "reserve",
                        step ->
                                Action.dispatch(task("reserve", step), success("pay"))
                                        .compensatedBy(task("release", step)))
                .leadingTo("pay")
                .state(
                        "pay",
                        step ->
                                Action.dispatch(
                                        task("pay", step),
                                        success("done").and("declined", "declined")))
                .leadingTo("done", "declined")
                .state("declined", _ -> Action.fail("the payment was declined"))
                .state("done", ChaosBlueprints::finish)
                .build();
    }

    private static Blueprint family() {
        return named(JobKind.FAMILY)
                .start(
                        "run",
                        step ->
                                Action.runBlueprint(
                                        JobKind.CHAIN.blueprint(),
                                        step.initialData(),
                                        Outcomes.on(Outcomes.FINISHED, "done")))
                .leadingTo("done")
                .state("done", ChaosBlueprints::finish)
                .build();
    }

    private static Blueprint timer() {
        return named(JobKind.TIMER)
                .start("wait", _ -> Action.waitFor(Duration.ofMillis(300), "work"))
                .leadingTo("work")
                .state("work", step -> Action.dispatch(task("note", step), success("done")))
                .leadingTo("done")
                .state("done", ChaosBlueprints::finish)
                .build();
    }

    private static Blueprint flaky() {
        return named(JobKind.FLAKY)
                .start("try", ChaosBlueprints::tryOnce)
                .leadingTo("done")
                .retry(new RetryPolicy(50, Duration.ofMillis(100), 1, Duration.ofMillis(100), 0))
                .state("done", ChaosBlueprints::finish)
                .build();
    }

    private static Action tryOnce(Step step) {
        if (step.attempt() == 1) {
            throw new IllegalStateException("the first attempt of this handler always fails");
        }
        return Action.dispatch(task("note", step), success("done"));
    }

    /// The worker returns a list of 200 KB and how long it is; both must arrive as they are.
    private static Blueprint large() {
        return named(JobKind.LARGE)
                .start("ask", step -> Action.dispatch(task("large", step), success("look")))
                .leadingTo("look")
                .state("look", ChaosBlueprints::look)
                .build();
    }

    private static Action look(Step step) {
        var count = step.data().number("count").map(JsonNumber::asLong).orElse(-1L);
        var items = step.data().array("items").map(array -> (long) array.size()).orElse(-2L);
        return count.equals(items)
                ? finish(step)
                : Action.fail("declared " + count + " items, has " + items);
    }

    private static Blueprint approval() {
        return named(JobKind.APPROVAL)
                .start("ask", _ -> Action.awaitApproval("Go on?", Outcomes.on("yes", "work")))
                .leadingTo("work")
                .state("work", step -> Action.dispatch(task("note", step), success("done")))
                .leadingTo("done")
                .state("done", ChaosBlueprints::finish)
                .build();
    }

    private static Blueprint signal() {
        return named(JobKind.SIGNAL)
                .start("listen", _ -> Action.awaitSignal("go", "work"))
                .leadingTo("work")
                .state("work", step -> Action.dispatch(task("note", step), success("done")))
                .leadingTo("done")
                .state("done", ChaosBlueprints::finish)
                .build();
    }

    /// Calls one after another and side by side, time, a recorded value and a signal.
    private static Blueprint function() {
        return dev.artel.blueprint.Blueprint.function(
                        BlueprintType.of(
                                JobKind.FUNCTION.blueprint(), JsonObject.class, JsonObject.class),
                        "1",
                        guards ->
                                guards.withHandlerAttempts(100)
                                        .withHandlerRetryDelays(
                                                Duration.ofMillis(100), Duration.ofSeconds(1)),
                        ChaosBlueprints::run)
                .definition();
    }

    private static JsonObject run(Run<JsonObject> run, JsonObject input) {
        var note =
                TaskCall.of("note", input)
                        .attempts(100)
                        .retryDelays(Duration.ofMillis(100), Duration.ofSeconds(1))
                        .maxLost(1_000)
                        .executionTimeout(Duration.ofSeconds(20));
        var drawn = run.record("drawn", Integer.class, () -> run.job().hashCode());
        var _ = run.call(note);
        run.sleep(Duration.ofMillis(200));
        var _ =
                run.all(
                        List.of(
                                run.async(note),
                                run.async(note),
                                run.timer(Duration.ofMillis(100))));
        var _ = run.signal(Signal.of("go", JsonValue.class));
        var _ = run.call(note);
        if (!run.record("drawn", String.class, () -> "another").equals("another")) {
            throw new RunFailed("a value was recorded under the name of another one");
        }
        return JsonObject.of("drawn", JsonValue.of(drawn));
    }

    /// Computes and heeds no interrupt.
    private static Blueprint endlessLoop() {
        return named(JobKind.ENDLESS_LOOP)
                .start("spin", ChaosBlueprints::spin)
                .leadingTo("done")
                .end("done")
                .build();
    }

    private static Action spin(Step step) {
        var sum = 0L;
        while (step.attempt() > 0) {
            sum += System.nanoTime() & 1;
        }
        return Action.fail("odd: " + sum);
    }

    /// Waits and heeds no interrupt.
    private static Blueprint deaf() {
        return named(JobKind.DEAF)
                .start("hang", ChaosBlueprints::hang)
                .leadingTo("done")
                .end("done")
                .build();
    }

    private static Action hang(Step step) {
        var interrupts = 0;
        while (step.attempt() > 0) {
            try {
                Thread.sleep(Duration.ofMinutes(1));
            } catch (InterruptedException heeded) {
                // That is what this handler is for: one that cannot be interrupted.
                interrupts++;
            }
        }
        return Action.fail("heeded none of " + interrupts + " interrupts");
    }

    /// Takes all the memory that there is.
    private static Blueprint hoard() {
        return named(JobKind.HOARD)
                .start("take", ChaosBlueprints::take)
                .leadingTo("done")
                .end("done")
                .build();
    }

    private static Action take(Step step) {
        var taken = new ArrayList<byte[]>();
        while (step.attempt() > 0) {
            taken.add(new byte[1 << 20]);
        }
        return Action.fail("took " + taken.size() + " MiB");
    }
}
