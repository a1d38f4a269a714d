package dev.artel.server.embedded;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.ValueRoom;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.protocol.TaskAssignment;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

final class PushedRoomTest {
    private static final long MIB = 1 << 20;

    private final ValueRoom values = new ValueRoom(32 * MIB);
    private final PushedRoom room = new PushedRoom(values);

    private static HandOut task(String token, long bytes) {
        var lease =
                new Lease(new LeaseToken(token), new WorkerId("artel-actions"), 1, Instant.EPOCH);
        var params = bytes == 0 ? Payload.EMPTY : new Payload.Ref("0".repeat(64), bytes);
        return new HandOut(
                new JobId("j"),
                0,
                lease,
                TaskSpec.of("set", JsonObject.EMPTY).withParams(params),
                0,
                Optional.empty(),
                List.of());
    }

    private static TaskAssignment assignment(String token) {
        return new TaskAssignment(
                "j",
                token,
                "set",
                JsonObject.of("text", JsonValue.of("large")),
                JsonObject.EMPTY,
                new TaskAssignment.Terms(token, 1, 0, Instant.EPOCH, Duration.ofSeconds(30)));
    }

    /// Trap: 32 tasks with parameters of megabytes are pushed at once, and all of them are read.
    @Test
    void largeParameters_areReadOnceThereIsRoomForThem() throws Exception {
        var first = room.read(task("first", MIB), () -> assignment("first"));
        var small = room.read(task("small", 0), () -> assignment("small"));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var second =
                    threads.submit(
                            () -> room.read(task("second", MIB), () -> assignment("second")));
            await("the second task waits").until(values::hasWaiting);

            room.over("first");

            assertThat(second.get().taskId()).isEqualTo("second");
        }
        assertThat(List.of(first.taskId(), small.taskId())).containsExactly("first", "small");
    }

    /// Trap: a task ends without a result, and its room is gone for good.
    @Test
    void parametersThatAreGarbage_giveTheirRoomBack() throws Exception {
        lose();
        var next =
                CompletableFuture.supplyAsync(
                        () -> room.read(task("next", MIB), () -> assignment("next")),
                        each -> Thread.ofVirtual().start(each));

        await("the room of a lost task is free")
                .until(() -> {
                    System.gc();
                    return next.isDone();
                });

        assertThat(next.get().taskId()).isEqualTo("next");
    }

    /// In a method of its own, of which no frame keeps the assignment.
    private void lose() {
        assertThat(room.read(task("lost", MIB), () -> assignment("lost")).taskId())
                .isEqualTo("lost");
    }

    /// Trap: a value that cannot be read takes its room along.
    @Test
    void parametersThatCannotBeRead_giveTheirRoomBack() {
        for (var i = 0; i < 3; i++) {
            assertThatThrownBy(() ->
                            room.read(
                                    task("broken", MIB),
                                    () -> {
                                        throw new IllegalStateException("planted");
                                    }))
                    .hasMessage("planted");
        }
    }
}
