package dev.artel.engine.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.task.Payload;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ResultRoomTest {
    private static final long MIB = 1 << 20;

    @Test
    void theResultsOfAllTasksOfAJob_haveAnEighthOfTheHeap() {
        var room = new ResultRoom(192 * MIB);

        assertThat(room.of(1)).isEqualTo(Payload.INLINE_LIMIT);
        assertThat(room.of(5_000)).isEqualTo(24 * MIB / 5_000);
        assertThat(room.of(100_000)).isEqualTo(1024);
    }

    @Test
    void aJobThatIsNotInMemory_mayHaveManyTasks() {
        assertThat(new ResultRoom(4096 * MIB).inline(Optional.empty())).isEqualTo(4096);
    }
}
