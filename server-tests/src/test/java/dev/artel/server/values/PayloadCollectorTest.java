package dev.artel.server.values;

import static dev.artel.testkit.store.SampleAppends.PLAIN;
import static dev.artel.testkit.store.SampleAppends.SUBMITTED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.store.BytesInMemory;
import dev.artel.kernel.store.Expiry;
import dev.artel.kernel.store.VerifiedBytes;
import dev.artel.kernel.task.Payload;
import dev.artel.testkit.store.InMemoryEventStore;
import dev.artel.testkit.store.InMemoryObjectStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// What becomes of large values that no job names. The clock is the test's.
final class PayloadCollectorTest {
    private static final Duration GRACE = Duration.ofHours(24);

    private Instant now = Instant.now();
    private final AtomicBoolean full = new AtomicBoolean();
    private final InMemoryEventStore events = new InMemoryEventStore();
    private final InMemoryObjectStore objects = new InMemoryObjectStore(() -> now);
    private final PayloadCollector payloadCollector =
            new PayloadCollector(events, objects, () -> now, GRACE, full::get);

    /// The orchestrator died between keeping a value and writing the event that names it.
    @Test
    void aValueThatNobodyEverNamed_goesAfterTheGrace_andNotBefore() {
        var orphan = put("orphan");

        later(GRACE.minusMinutes(1));
        round();
        assertThat(objects.find(orphan)).isPresent();

        later(Duration.ofMinutes(2));
        round();
        assertThat(objects.find(orphan)).isEmpty();
        assertThat(payloadCollector.removed()).isEqualTo(1);
        assertThat(payloadCollector.removedBytes()).isEqualTo(6);
        assertThat(payloadCollector.kept()).isZero();
    }

    /// A value that is named late was put early: without renewal it would go under the event that names it.
    @Test
    void aValueThatIsPutAgain_begins_anotherGrace() {
        var value = put("again");
        later(GRACE.minusMinutes(1));
        put("again");

        later(GRACE.minusMinutes(1));
        round();

        assertThat(objects.find(value)).isPresent();
    }

    @Test
    void aValueOfAJob_staysAsLongAsTheJob_andAGraceLonger() {
        var value = put("value");
        name("job", value);
        later(GRACE.multipliedBy(30));
        round();
        assertThat(objects.find(value)).isPresent();

        removeJobs(1);
        now = Instant.now().plus(GRACE).minusSeconds(60);
        round();
        assertThat(objects.find(value)).isPresent();

        now = Instant.now().plus(GRACE).plusSeconds(60);
        round();
        assertThat(objects.find(value)).isEmpty();
    }

    /// Forks take over the values of jobs that are over, and those are removed first.
    @Test
    void aValueThatTwoJobsShare_staysAsLongAsTheLastOfThem() {
        var value = put("shared");
        name("first", value);
        name("fork", value);
        removeJobs(1);
        later(GRACE.multipliedBy(3));
        round();

        assertThat(objects.find(value)).isPresent();

        removeJobs(1);
        later(GRACE);
        round();
        assertThat(objects.find(value)).isEmpty();
    }

    /// While events wait for room the values that they name are old and named by nothing yet.
    @Test
    void whileTheStoreHasNoRoom_nothingGoes() {
        var value = put("waits");
        later(GRACE.multipliedBy(2));
        full.set(true);

        round();
        full.set(false);
        round();

        assertThat(objects.find(value)).isPresent();
        later(Duration.ofMinutes(11));
        round();
        assertThat(objects.find(value)).isEmpty();
    }

    @Test
    void manyValues_areLookedThroughInPages() {
        for (var i = 0; i < 1_200; i++) {
            put("value " + i);
        }
        later(GRACE.plusMinutes(1));

        assertThat(payloadCollector.page()).isTrue();
        assertThat(payloadCollector.removed()).isEqualTo(500);
        round();

        assertThat(payloadCollector.removed()).isEqualTo(1_200);
    }

    private void round() {
        var goesOn = true;
        while (goesOn) {
            goesOn = payloadCollector.page();
        }
    }

    private void later(Duration time) {
        now = now.plus(time);
    }

    private String put(String text) {
        var content = text.getBytes(StandardCharsets.UTF_8);
        var digest = VerifiedBytes.digestOf(content);
        objects.put(digest, content.length, () -> new BytesInMemory(content));
        return digest;
    }

    private void name(String job, String digest) {
        events.append(List.of(PLAIN.submit(job)));
        events.append(List.of(PLAIN.endWith(job, 2, new Payload.Ref(digest, 70_000))));
    }

    private void removeJobs(int count) {
        assertThat(events.removeClosed(Expiry.before(SUBMITTED.plusSeconds(10)), count))
                .isEqualTo(count);
    }
}
