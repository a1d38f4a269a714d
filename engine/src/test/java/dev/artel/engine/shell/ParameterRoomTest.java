package dev.artel.engine.shell;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskSpec;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class ParameterRoomTest {
    private static final int MIB = 1 << 20;

    private volatile boolean isShort;

    /// One run may make 25 MB, all may make 12.5 MB together.
    private final ParameterRoom room = new ParameterRoom(100L * MIB, () -> isShort);

    private static JsonObject text(int characters) {
        return JsonObject.of("text", JsonValue.of("y".repeat(characters)));
    }

    private static Action endless() {
        return Action.dispatchParallel(
                Stream.generate(() -> TaskSpec.of("write", text(MIB))).toList(), "join");
    }

    /// Trap: the list is counted when it is returned, and one that does not fit is never returned.
    @Test
    void aHandlerThatMakesTasksWithoutEnd_isRefusedWithTheNumbers_whileItMakesThem() {
        try (var run = room.open()) {
            assertThatThrownBy(() -> run.call(ParameterRoomTest::endless))
                    .isInstanceOf(ParametersTooLarge.class)
                    .hasMessageContainingAll(
                            "has made 26 tasks or children whose parameters take 27 MB of memory",
                            "one run may make 25 MB, a quarter of the heap of 100 MB",
                            "make fewer at once",
                            "-Xmx");
        }
    }

    @Test
    void tasksThatHaveAFewChangesMore_areCountedOnce() throws Exception {
        try (var run = room.open()) {
            var action =
                    run.call(() ->
                            Action.dispatchParallel(
                                    IntStream.range(0, 20)
                                            .mapToObj(_ -> TaskSpec.of("write", text(MIB)))
                                            .map(task -> task.notIdempotent().withCost("0.10"))
                                            .toList(),
                                    "join"));

            run.returned(action);
        }
    }

    /// Trap: a text that all tasks share is in memory once, and counted for each.
    @Test
    void whatNeighboursShare_isCountedOnce() throws Exception {
        var prompt = JsonValue.of("y".repeat(MIB));
        try (var run = room.open()) {
            var action =
                    run.call(() ->
                            Action.dispatchParallel(
                                    IntStream.range(0, 1_000)
                                            .mapToObj(i ->
                                                    TaskSpec.of(
                                                            "write",
                                                            JsonObject.of(
                                                                    "prompt",
                                                                    prompt,
                                                                    "n",
                                                                    JsonValue.of(i))))
                                            .toList(),
                                    "join"));

            run.returned(action);
        }
    }

    @Test
    void charactersThatTakeTwoBytes_areCountedTwice() {
        try (var run = room.open()) {
            run.add(twoBytesEach());

            assertThatThrownBy(() -> run.add(twoBytesEach()))
                    .isInstanceOf(ParametersTooLarge.class);
        }
    }

    private static JsonObject twoBytesEach() {
        return JsonObject.of("text", JsonValue.of("\u4e00".repeat(14 * MIB)));
    }

    /// Trap: a single value of any size is kept apart, and is refused as if it were many.
    @Test
    void oneLargeValue_isNoFanOut_alsoWhereASmallOneComesWithIt() throws Exception {
        try (var run = room.open()) {
            var action =
                    run.call(() ->
                            Action.dispatchParallel(
                                            List.of(TaskSpec.of("read", text(40 * MIB))), "join")
                                    .compensatedBy(TaskSpec.of("undo", text(10))));

            run.returned(action);
        }
    }

    /// Trap: a function makes its tasks in a thread in which nothing is counted.
    @Test
    void tasksAndChildrenThatWereMadeElsewhere_areCountedWhenTheyAreReturned() {
        var tasks = Collections.nCopies(4, 0).stream().map(_ -> text(10 * MIB)).toList();
        var specs = tasks.stream().map(it -> TaskSpec.of("write", it)).toList();

        for (var action :
                List.of(
                        Action.dispatchParallel(specs, "join"),
                        Action.dispatchParallel(specs, "join")
                                .compensatedBy(TaskSpec.of("undo", JsonObject.EMPTY)),
                        Action.runBlueprints("child", tasks, "join"))) {
            try (var run = room.open()) {
                assertThatThrownBy(() -> run.returned(action))
                        .isInstanceOf(ParametersTooLarge.class)
                        .hasMessageContaining("has made 4 tasks or children");
            }
        }
    }

    /// Trap: each of many handlers keeps to its limit, and all together fill the heap.
    @Test
    void handlersThatTogetherMakeMoreThanThereIsRoomFor_waitForEachOther() throws Exception {
        var first = room.open();
        first.add(text(12 * MIB));
        var second = room.open();
        second.add(text(2 * MIB));
        var done = new CountDownLatch(1);
        var third =
                Thread.ofVirtual()
                        .start(() -> {
                            try (var run = room.open()) {
                                run.add(text(2 * MIB));
                                done.countDown();
                            }
                        });
        await().until(() -> third.getState() == Thread.State.WAITING);

        second.add(text(20 * MIB));
        assertThat(done.getCount()).isEqualTo(1);
        second.close();

        done.await();
        third.join();
        first.close();
    }

    /// Trap: handlers share an eighth of a heap that other things fill.
    @Test
    void whileMemoryIsShort_oneHandlerAtATimeMakesManyTasks() throws Exception {
        isShort = true;
        var first = room.open();
        first.add(text(MIB));
        var done = new CountDownLatch(1);
        var second =
                Thread.ofVirtual()
                        .start(() -> {
                            try (var run = room.open()) {
                                run.add(text(MIB));
                                done.countDown();
                            }
                        });
        await().until(() -> second.getState() == Thread.State.WAITING);
        try (var small = room.open()) {
            small.add(text(1_000));
        }
        assertThat(done.getCount()).isEqualTo(1);

        first.close();

        done.await();
        second.join();
    }

    @Test
    void aHandlerThatIsInterruptedWhileItWaits_learnsWhy() throws Exception {
        var failure = new AtomicReference<Throwable>();
        try (var first = room.open();
                var second = room.open()) {
            first.add(text(12 * MIB));
            second.add(text(2 * MIB));
            var third =
                    Thread.ofVirtual()
                            .uncaughtExceptionHandler((_, thrown) -> failure.set(thrown))
                            .start(() -> {
                                try (var run = room.open()) {
                                    run.add(text(2 * MIB));
                                }
                            });
            await().until(() -> third.getState() == Thread.State.WAITING);

            third.interrupt();
            third.join();
        }

        assertThat(failure.get())
                .hasMessageContaining("waited for memory that those of other handlers take");
    }

    /// Trap: what a run that was refused had taken is lost to all others.
    @Test
    void whatIsHandedOn_isThereForOthers() {
        var made = new AtomicInteger();
        for (var i = 0; i < 100; i++) {
            try (var run = room.open()) {
                run.add(text(12 * MIB));
                made.incrementAndGet();
            }
        }

        assertThat(made).hasValue(100);
    }

    @Test
    void aValueThatIsKeptApart_takesNoRoom() {
        var kept = new Payload.Ref("0".repeat(64), 1L << 30);
        var task = TaskSpec.of("write", JsonObject.EMPTY).withParams(kept);

        try (var run = room.open()) {
            run.returned(Action.dispatchParallel(Collections.nCopies(10_000, task), "join"));
        }
    }
}
