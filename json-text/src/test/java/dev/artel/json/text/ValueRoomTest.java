package dev.artel.json.text;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ValueRoomTest {
    private static final long KIB = 1024;

    private final AtomicLong now = new AtomicLong();
    private final ValueRoom room = new ValueRoom(128 * KIB, now::get);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    @AfterEach
    void stop() {
        threads.shutdown();
    }

    private Future<ValueRoom.Place> waiting(String owner, long weight) {
        return threads.submit(() -> room.take(owner, weight));
    }

    /// Trap: each of many messages is small enough, and all of them at once are more than there is memory for.
    @Test
    void aValueBeyondTheRoom_waitsUntilAnotherIsDone() throws Exception {
        var first = room.take("a", 60 * KIB);
        var second = waiting("a", 60 * KIB);
        awaitWaiting();
        assertThat(second.isDone()).isFalse();

        first.close();

        second.get().close();
        room.take("a", 60 * KIB).close();
    }

    /// Trap: a few values of one owner take all the room for minutes, and those of all others wait.
    @Test
    void anOwner_leavesHalfOfWhatTheOthersLeave_howeverMuchOfItsWaits() throws Exception {
        var held = room.take("greedy", 60 * KIB);
        var more = new ArrayList<Future<?>>();
        for (var i = 0; i < 20; i++) {
            more.add(threads.submit(() -> room.take("greedy", 60 * KIB).close()));
        }
        awaitWaiting();

        var other = room.take("other", 30 * KIB);
        room.take("third", 15 * KIB).close();

        assertThat(more).noneMatch(Future::isDone);
        other.close();
        held.close();
        for (var next : more) {
            next.get();
        }
    }

    /// Trap: a value that is larger than any share waits for good, or, once it has its room, keeps all others from theirs.
    @Test
    void aValueThatIsLargerThanAll_hasItsTurn_andLeavesSomeForOthers_andSmallOnesNeedNone()
            throws Exception {
        var all = room.take("greedy", 5_000 * KIB);

        room.take("other", 16 * KIB).close();
        room.take("other", 0).close();
        var next = waiting("other", 5_000 * KIB);
        awaitWaiting();
        assertThat(next.isDone()).isFalse();
        room.take("third", 16 * KIB).close();
        all.close();
        next.get().close();
    }

    /// Trap: while values of many owners come one after the other, there is never room for a large one.
    @Test
    void aValueThatIsPassedOverAgainAndAgain_comesToItsTurn() throws Exception {
        var first = room.take("a", 40 * KIB);
        var second = room.take("b", 40 * KIB);
        var large = waiting("large", 90 * KIB);
        awaitWaiting();

        var passed = 0;
        while (!large.isDone()) {
            // One of both is always held.
            first.close();
            first = room.take("a" + passed, 40 * KIB, Duration.ofMillis(1)).orElse(ValueRoom.NONE);
            second.close();
            second = room.take("b" + passed, 40 * KIB, Duration.ofMillis(1)).orElse(ValueRoom.NONE);
            passed++;
        }

        assertThat(passed).isBetween(5, 100_000);
        large.get().close();
        first.close();
        second.close();
    }

    /// Trap: one that waits for room that is held for minutes has all others wait with it.
    @Test
    void aValueThatWaitsForWhatIsHeldForLong_holdsOthersUpForAWhileAlone() throws Exception {
        var slow = room.take("slow", 50 * KIB);
        var large = waiting("large", 90 * KIB);
        awaitWaiting();

        for (var i = 0; i < 50; i++) {
            room.take("other", 10 * KIB).close();
        }

        assertThat(large.isDone()).isFalse();
        slow.close();
        large.get().close();
    }

    @Test
    void whoWaitsForALimitedTime_givesUp_andLeavesTheOthersTheirTurn() throws Exception {
        var first = room.take("a", 60 * KIB);

        assertThat(room.take("a", 60 * KIB, Duration.ofMillis(1))).isEmpty();

        assertThat(room.hasWaiting()).isFalse();
        first.close();
        room.take("a", 60 * KIB, Duration.ofMillis(1)).orElseThrow().close();
    }

    /// Trap: an owner whose values are larger than its share has the room time and again, and one that gives up in between never has any.
    @Test
    void anOwnerThatHasGivenUp_keepsItsTurn_beforeTheNextOneOfAnOwnerThatWasBeyondItsShare()
            throws Exception {
        var held = room.take("greedy", 90 * KIB);
        var next = waiting("greedy", 90 * KIB);
        awaitWaiting();
        assertThat(room.take("other", 50 * KIB, Duration.ofMillis(1))).isEmpty();

        held.close();

        assertThat(next.isDone()).isFalse();
        var other = room.take("other", 50 * KIB, Duration.ZERO).orElseThrow();
        assertThat(next.isDone()).isFalse();
        other.close();
        next.get().close();
    }

    /// Trap: one that has given up for good keeps all others from values that are larger than their share.
    @Test
    void anOwnerThatHasGivenUp_andDoesNotComeAgain_isForgotten() {
        var held = room.take("a", 90 * KIB);
        assertThat(room.take("gone", 50 * KIB, Duration.ZERO)).isEmpty();
        held.close();
        assertThat(room.take("b", 90 * KIB, Duration.ZERO)).isEmpty();

        now.addAndGet(ValueRoom.REMEMBERED.toNanos());

        room.take("b", 90 * KIB, Duration.ZERO).orElseThrow().close();
    }

    /// Trap: what one owner has beyond its share leaves an eighth to each of the others, for as long as it lasts.
    @Test
    void besideAnOwnerBeyondItsShare_anotherHasThreeQuartersOfWhatIsLeft() {
        var held = room.take("greedy", 80 * KIB);

        var other = room.take("other", 36 * KIB, Duration.ZERO).orElseThrow();

        assertThat(room.take("third", 10 * KIB, Duration.ZERO)).isEmpty();
        room.take("third", 9 * KIB, Duration.ZERO).orElseThrow().close();
        other.close();
        held.close();
    }

    @Test
    void anInterrupt_endsNoWait_andIsKept() throws Exception {
        var first = room.take("a", 60 * KIB);
        var isInterrupted =
                threads.submit(() -> {
                    Thread.currentThread().interrupt();
                    room.take("a", 60 * KIB).close();
                    return Thread.interrupted();
                });
        awaitWaiting();

        first.close();

        assertThat(isInterrupted.get()).isTrue();
    }

    @Test
    void aPlaceThatIsClosedTwice_isFreedOnce() throws Exception {
        var first = room.take("a", 60 * KIB);
        first.close();
        first.close();
        var all = room.take("a", 60 * KIB);
        var next = waiting("a", 60 * KIB);
        awaitWaiting();
        assertThat(next.isDone()).isFalse();
        all.close();
        next.get().close();
    }

    private void awaitWaiting() {
        await("a thread waits for room").until(room::hasWaiting);
    }
}
