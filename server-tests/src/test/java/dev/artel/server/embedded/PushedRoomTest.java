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
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

final class PushedRoomTest {
    private static final long MIB = 1 << 20;

    private final ValueRoom values = new ValueRoom(32 * MIB);
    private final PushedRoom room = new PushedRoom(values, JobId::value, Duration.ofMinutes(10));

    /// The same room, of tasks that do not wait for it.
    private final PushedRoom hasty = new PushedRoom(values, JobId::value, Duration.ZERO);

    private TaskAssignment read(String job, String token, long bytes) {
        return room.read(task(job, token, bytes), () -> assignment(token)).orElseThrow();
    }

    private static HandOut task(String token, long bytes) {
        return task("j", token, bytes);
    }

    private static HandOut task(String job, String token, long bytes) {
        var lease =
                new Lease(new LeaseToken(token), new WorkerId("artel-actions"), 1, Instant.EPOCH);
        var params = bytes == 0 ? Payload.EMPTY : new Payload.Ref("0".repeat(64), bytes);
        return new HandOut(
                new JobId(job),
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
        var first = read("j", "first", MIB / 2);
        var small = read("j", "small", 0);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var second = threads.submit(() -> read("j", "second", MIB / 2));
            await("the second task waits").until(values::hasWaiting);

            room.over("first");

            assertThat(second.get().taskId()).isEqualTo("second");
        }
        assertThat(List.of(first.taskId(), small.taskId())).containsExactly("first", "small");
    }

    /// Trap: the slow tasks of one client take all the room, and no large task of any other client is begun.
    @Test
    void theTasksOfAClient_leaveRoomForThoseOfOthers_andGoBackWhereThereIsNone() {
        var kept = read("greedy", "first", MIB / 2);

        assertThat(hasty.read(task("greedy", "second", MIB / 2), () -> assignment("second")))
                .isEmpty();

        assertThat(read("other", "third", MIB / 2).taskId()).isEqualTo("third");
        assertThat(kept.taskId()).isEqualTo("first");
    }

    /// Trap: a request with parameters of megabytes hangs, and no large task of any other client is begun for minutes.
    @Test
    void aTaskThatIsLargerThanAllThatAClientMayHave_leavesRoomForLargeOnesOfOthers() {
        read("greedy", "first", 3 * MIB);

        assertThat(hasty.read(task("other", "second", MIB * 9 / 20), () -> assignment("second")))
                .isPresent();
    }

    /// Trap: the room of requests that were cancelled comes back with the garbage alone, which may be in minutes.
    @Test
    void aCancelledTask_givesItsRoomBack_whenItsWorkerIsDoneWithIt() {
        var kept = read("j", "first", MIB / 2);
        room.ended("first");
        assertThat(hasty.read(task("second", MIB / 2), () -> assignment("second"))).isEmpty();

        room.cancelled("first");
        room.ended("first");

        assertThat(read("j", "third", MIB / 2).taskId()).isEqualTo("third");
        assertThat(kept.taskId()).isEqualTo("first");
    }

    /// Trap: a task that is cancelled while it waits for room is done when the room comes.
    @Test
    void aTaskThatIsCancelledWhileItWaits_isNotRead() throws Exception {
        var kept = read("j", "first", MIB / 2);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var second =
                    threads.submit(() ->
                            room.read(
                                    task("second", MIB / 2),
                                    () -> {
                                        throw new AssertionError("it is read");
                                    }));
            await("the second task waits").until(values::hasWaiting);

            room.cancelled("second");
            room.over("first");

            assertThat(second.get()).isEmpty();
        }
        assertThat(kept.taskId()).isEqualTo("first");
        assertThat(read("j", "third", MIB / 2).taskId()).isEqualTo("third");
    }

    /// Trap: a task ends without a result, and its room is gone for good.
    @Test
    void parametersThatAreGarbage_giveTheirRoomBack() {
        lose();

        await("the room of a lost task is free")
                .until(() -> {
                    System.gc();
                    return hasty.read(task("next", MIB / 2), () -> assignment("next")).isPresent();
                });
    }

    /// In a method of its own, of which no frame keeps the assignment.
    private void lose() {
        assertThat(read("j", "lost", MIB / 2).taskId()).isEqualTo("lost");
    }

    /// Trap: a value that cannot be read takes its room along.
    @Test
    void parametersThatCannotBeRead_giveTheirRoomBack() {
        for (var i = 0; i < 3; i++) {
            assertThatThrownBy(() ->
                            room.read(
                                    task("broken", MIB / 2),
                                    () -> {
                                        throw new IllegalStateException("planted");
                                    }))
                    .hasMessage("planted");
        }
    }
}
