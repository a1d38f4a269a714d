package dev.artel.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.task.Payload;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ObservedEventsTest {
    private static final Payload LARGE =
            Payload.of(
                    new JsonArray(
                            Collections.nCopies(
                                    20_000, (JsonValue) JsonObject.of("a", JsonValue.of("b")))));

    private static ObservedEvents.Observed observed(int number, Payload payload) {
        List<JobEvent> events =
                List.of(
                        new JobEvent.SignalReceived(
                                "go", "id-" + number, payload, "alice", Instant.EPOCH));
        return new ObservedEvents.Observed(new JobId("job-" + number), 1, events, 1, 0, 0);
    }

    /// Trap: thousands of appends of 60 KB wait, each with megabytes of values.
    @Test
    void whatWaits_hasABoundInBytes_andThereIsRoomAgainWhenItIsTaken() throws Exception {
        var events = new ObservedEvents();
        var taken = 0;
        while (events.offer(observed(taken, LARGE))) {
            taken++;
        }

        assertThat(taken).isBetween(1, 1_000);
        assertThat(events.poll()).extracting(ObservedEvents.Observed::job).hasToString("job-0");
        assertThat(events.offer(observed(taken, LARGE))).isTrue();
        assertThat(events.offer(observed(taken, LARGE))).isFalse();
        while (!events.isEmpty()) {
            assertThat(events.poll()).isNotNull();
        }
        for (var i = 0; i < taken; i++) {
            assertThat(events.offer(observed(i, LARGE))).isTrue();
        }
    }

    @Test
    void whatWaits_hasABoundInNumber() {
        var events = new ObservedEvents();
        var small = Payload.EMPTY;
        var taken = 0;
        while (events.offer(observed(taken, small))) {
            taken++;
        }

        assertThat(taken).isBetween(4_000, 8_192);
    }
}
