package dev.artel.gateway.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.text.ValueRoom;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.session.SessionReply;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class TaskAssignmentsTest {
    private static final long MIB = 1 << 20;
    private static final Duration TERM = Duration.ofSeconds(30);

    private final ValueRoom values = new ValueRoom(64 * MIB);
    private final ValueRoom answers = new ValueRoom(4 * MIB);
    private final List<Payload> read = new ArrayList<>();
    private final TaskAssignments assignments =
            new TaskAssignments(
                    new TaskParameters(
                            params -> {
                                read.add(params);
                                return JsonObject.of("text", new JsonString("large"));
                            },
                            worker -> "token of " + worker,
                            values,
                            answers),
                    Optional.empty());

    private static HandOut task(String worker, long bytes) {
        return new HandOut(
                new JobId("j"),
                0,
                new Lease(new LeaseToken("t"), new WorkerId(worker), 1, Instant.EPOCH),
                TaskSpec.of("echo", JsonObject.EMPTY)
                        .withParams(new Payload.Ref("0".repeat(64), bytes)),
                0,
                Optional.empty(),
                List.of());
    }

    private static SessionReply.Tasks answer(String worker, long bytes) {
        return new SessionReply.Tasks(List.of(task(worker, bytes)), TERM, SessionReply.Form.SINGLE);
    }

    /// As long ago as no task waits.
    private static long longAgo() {
        return System.nanoTime() - Duration.ofMinutes(1).toNanos();
    }

    private Optional<Boolean> push(String worker, long bytes) {
        return assignments.write(
                task(worker, bytes), TERM, TaskAssignments.ALL, longAgo(), _ -> true);
    }

    private ValueRoom.Place all(ValueRoom room) {
        return room.take("token of another", room.size());
    }

    /// Trap: an agent is sent a hundred commands at once, and the parameters of all of them are read before the first is written.
    @Test
    void aPushedTask_isNotReadBeforeThereIsRoom() {
        var taken = all(values);

        assertThat(push("w1", MIB)).isEmpty();
        assertThat(read).isEmpty();

        taken.close();
        assertThat(push("w1", MIB)).contains(true);
        assertThat(read).hasSize(1);
    }

    @Test
    void smallParameters_needNoRoom() {
        var _ = all(values);

        assertThat(push("w1", 1_000)).contains(true);
    }

    @Test
    void aValue_hasItsRoomUntilItIsWritten() {
        var beside = new ArrayList<Optional<Boolean>>();

        var sent =
                assignments.write(
                        task("w1", 2 * MIB),
                        TERM,
                        TaskAssignments.ALL,
                        longAgo(),
                        _ -> {
                            beside.add(push("w1", 2 * MIB));
                            return true;
                        });

        assertThat(sent).contains(true);
        assertThat(beside).containsExactly(Optional.empty());
        assertThat(push("w1", 2 * MIB)).contains(true);
    }

    @Test
    void theRoomOfAValue_isFreeAfterAFailure() {
        assertThatThrownBy(() ->
                        assignments.write(
                                task("w1", 2 * MIB),
                                TERM,
                                TaskAssignments.ALL,
                                longAgo(),
                                _ -> {
                                    throw new IllegalStateException("too large");
                                }))
                .hasMessage("too large");

        assertThat(push("w1", 2 * MIB)).contains(true);
    }

    /// Trap: a worker that does not read the answers to its polls has the bytes of sixteen of them in memory.
    @Test
    void anAnswer_hasRoomUntilItHasLeft() {
        var first = assignments.write(answer("w1", 2 * MIB), TaskAssignments.ALL).orElseThrow();

        assertThat(whole(answers)).isEmpty();
        assertThat(whole(values)).isPresent();

        first.close();
        assertThat(whole(answers)).isPresent();
    }

    /// As much as one may have where nothing is taken, and no more than that.
    private static Optional<ValueRoom.Place> whole(ValueRoom room) {
        return room.take("token of another", room.size(), Duration.ZERO);
    }

    /// Trap: where workers fetch no values by themselves, all of them are in messages, whatever a worker has asked for.
    @Test
    void parametersThatComeInTheMessageAfterAll_haveRoom() {
        var _ = all(values);

        assertThat(assignments.write(task("w1", MIB), TERM, 1_000, longAgo(), _ -> true)).isEmpty();
    }
}
