package dev.artel.e2e.kill;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.BlueprintSource;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.guard.Guards;
import dev.artel.kernel.task.TaskResult;
import dev.artel.kernel.task.TaskSpec;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// One blueprint whose handler fills the heap, and one whose handlers do no harm; the orchestrator has them from a jar.
public final class HeapBlueprints implements BlueprintSource {
    static final String FILLS = "heap_fills";
    static final String GOOD = "heap_good";

    /// A fan-out whose results are together larger than the heap.
    static final String RESULTS = "heap_results";

    /// A fan-out of as many tasks, with parameters of as many characters, as its initial data have.
    static final String WIDE = "heap_wide";

    /// As many children, with results of as many characters, as its initial data have.
    static final String CHILDREN = "heap_children";

    private static final String CHILD = "heap_child";

    /// The type of the tasks.
    static final String LONG_TEXT = "heap_long_text";

    static final int TASKS = 2_500;
    static final int CHARACTERS = 60_000;

    /// For the service loader.
    public HeapBlueprints() {}

    @Override
    public List<Blueprint> blueprints() {
        return List.of(
                Blueprint.named(FILLS)
                        .start("fill", HeapBlueprints::fill)
                        .leadingTo("done")
                        .end("done")
                        .build(),
                Blueprint.named(GOOD)
                        .start("wait", _ -> Action.waitFor(Duration.ofSeconds(2), "work"))
                        .leadingTo("work")
                        .state("work", _ -> Action.finish(JsonObject.EMPTY))
                        .build(),
                Blueprint.named(RESULTS)
                        .start("fan", _ -> Action.dispatchParallel(tasks(), "join"))
                        .leadingTo("join")
                        .state("join", HeapBlueprints::count)
                        .build(),
                Blueprint.named(WIDE)
                        .start("fan", step -> Action.dispatchParallel(wide(step), "join"))
                        .leadingTo("join")
                        .state("join", HeapBlueprints::count)
                        .build(),
                Blueprint.named(CHILD).start("write", HeapBlueprints::write).build(),
                Blueprint.named(CHILDREN)
                        .guards(Guards.DEFAULTS.withTreeSteps(50_000))
                        .start("run", HeapBlueprints::children)
                        .leadingTo("join")
                        .state("join", HeapBlueprints::countChildren)
                        .build());
    }

    private static List<TaskSpec> wide(Step step) {
        var text = "y".repeat(number(step, "characters"));
        return IntStream.range(0, number(step, "tasks"))
                .mapToObj(i -> TaskSpec.of(LONG_TEXT, textOf(i + text)))
                .toList();
    }

    private static Action children(Step step) {
        var inputs =
                IntStream.range(0, number(step, "children"))
                        .mapToObj(i ->
                                JsonObject.of(
                                        "number",
                                        JsonValue.of(i),
                                        "characters",
                                        JsonValue.of(number(step, "characters"))))
                        .toList();
        return Action.runBlueprints(CHILD, inputs, "join");
    }

    /// No two write the same, so that each is kept.
    private static Action write(Step step) {
        return Action.finish(
                textOf(number(step, "number") + "y".repeat(number(step, "characters"))));
    }

    private static Action countChildren(Step step) {
        var sum = 0L;
        for (var child : step.children()) {
            sum +=
                    child.result()
                            .map(result -> ((JsonObject) result).string("text").orElseThrow())
                            .orElse("")
                            .length();
        }
        return Action.finish(JsonObject.of("characters", JsonValue.of(sum)));
    }

    private static JsonObject textOf(String text) {
        return JsonObject.of("text", JsonValue.of(text));
    }

    private static int number(Step step, String name) {
        return (int) step.initialData().number(name).orElseThrow().asLong();
    }

    private static List<TaskSpec> tasks() {
        return IntStream.range(0, TASKS)
                .mapToObj(i -> TaskSpec.of(LONG_TEXT, JsonObject.of("number", JsonValue.of(i))))
                .toList();
    }

    private static Action count(Step step) {
        var sum = 0L;
        for (var result : step.results()) {
            if (result instanceof TaskResult.Succeeded done
                    && done.data() instanceof JsonObject data) {
                sum += data.string("text").orElseThrow().length();
            }
        }
        return Action.finish(JsonObject.of("characters", JsonValue.of(sum)));
    }

    private static Action fill(Step step) {
        fillHeap(step.attempt());
        return Action.fail("nothing was taken");
    }

    /// To the last byte; that there is no more is left for others to find out.
    ///
    /// @param times more than 0
    static void fillHeap(int times) {
        Object @Nullable [] taken = null;
        var nap = Duration.ofSeconds(1).toNanos();
        // Loaded beforehand: there is no memory for it afterwards.
        LockSupport.parkNanos(1);
        for (var size = 1 << 20; size >= 16; size /= 16) {
            try {
                while (times > 0) {
                    taken = new Object[] {new byte[size], taken};
                }
            } catch (OutOfMemoryError full) {
                // That is the aim.
            }
        }
        while (taken != null) {
            try {
                LockSupport.parkNanos(nap);
            } catch (OutOfMemoryError full) {
                // It gives nothing back.
                nap++;
            }
        }
    }
}
