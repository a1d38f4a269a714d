package dev.artel.server.api.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.placement.Placement;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AttemptsTest {
    private static final Instant NOW = Instant.parse("2026-11-29T12:00:00Z");
    private static final WorkerId WORKER = new WorkerId("w");

    private static JobEvent granted(int attempt) {
        return new JobEvent.LeaseGranted(
                0,
                new Lease(new LeaseToken("t" + attempt), WORKER, attempt, NOW),
                new Placement(WORKER, "it was free", List.of(), new LinkedHashMap<>(), 1),
                NOW);
    }

    /// Trap: a worker gives its task back twice a second, and who asks for the task gets the attempts of a day.
    @Test
    void ofVeryManyAttempts_theNewestAreShown_andTheOthersCounted() {
        var attempts = new Attempts(0);
        for (var attempt = 1; attempt <= 100_000; attempt++) {
            attempts.on(granted(attempt));
        }

        assertThat(attempts.shown().size()).isEqualTo(Attempts.MOST);
        assertThat(attempts.leftOut()).isEqualTo(100_000 - Attempts.MOST);
        assertThat(((JsonObject) attempts.shown().get(Attempts.MOST - 1)).number("attempt"))
                .map(Object::toString)
                .contains("100000");
    }
}
