package dev.artel.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class LineQueueTest {
    /// Trap: the disk stands still, and lines of many kilobytes fill the memory.
    @Test
    void linesThatWait_haveABoundInBytes_andThereIsRoomAgainWhenTheyAreTaken() throws Exception {
        var queue = new LineQueue(10, 1_000);

        assertThat(queue.offer(new byte[600])).isTrue();
        assertThat(queue.offer(new byte[600])).isFalse();
        assertThat(queue.offer(new byte[400])).isTrue();
        assertThat(queue.offer(new byte[1])).isFalse();

        assertThat(queue.poll()).hasSize(600);
        assertThat(queue.offer(new byte[600])).isTrue();
        assertThat(queue.poll(0)).hasSize(400);
        assertThat(queue.poll(0)).hasSize(600);
        assertThat(queue.poll()).isNull();
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void linesThatWait_haveABoundInNumber() {
        var queue = new LineQueue(2, 1_000);

        assertThat(queue.offer(new byte[1])).isTrue();
        assertThat(queue.offer(new byte[1])).isTrue();
        assertThat(queue.offer(new byte[1])).isFalse();
        assertThat(queue.poll()).hasSize(1);
        assertThat(queue.offer(new byte[999])).isTrue();
    }
}
