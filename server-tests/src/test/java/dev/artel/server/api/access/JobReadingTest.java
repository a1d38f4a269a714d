package dev.artel.server.api.access;

import static dev.artel.testkit.store.SampleAppends.PLAIN;
import static dev.artel.testkit.store.SampleAppends.SUBMITTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.kernel.engine.Engine;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.StoreException.StoreCorrupt;
import dev.artel.kernel.store.StreamFold;
import dev.artel.testkit.store.InMemoryEventStore;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class JobReadingTest {
    private static final JobId ID = new JobId("a");

    private final InMemoryEventStore store = new InMemoryEventStore();
    private final List<String> reads = new ArrayList<>();

    private EventStore counted() {
        return (EventStore)
                Proxy.newProxyInstance(
                        EventStore.class.getClassLoader(),
                        new Class<?>[] {EventStore.class},
                        (_, method, arguments) -> {
                            reads.add(method.getName());
                            return method.invoke(store, arguments);
                        });
    }

    /// An engine that has `live` in memory, and reads nothing.
    private static Engine engine(Optional<Job> live) {
        return (Engine)
                Proxy.newProxyInstance(
                        Engine.class.getClassLoader(),
                        new Class<?>[] {Engine.class},
                        (_, method, _) -> {
                            if (method.getName().equals("live")) {
                                return live;
                            }
                            throw new UnsupportedOperationException(method.getName());
                        });
    }

    private void ended() {
        store.append(List.of(PLAIN.submit("a")));
        store.append(List.of(PLAIN.end("a", 2)));
    }

    private static int eventsOf(JobReading reading) {
        var events = new ArrayList<>();
        reading.events(events::add);
        return events.size();
    }

    /// Trap: each part of a document reads the same events once more.
    @Test
    void aShortJobThatHasEnded_isReadOnce() {
        ended();

        var reading = JobReading.of(ID, engine(Optional.empty()), counted()).orElseThrow();

        assertThat(reading.job().isFinal()).isTrue();
        assertThat(reading.updated()).isEqualTo(SUBMITTED.plusMillis(2));
        assertThat(reading.grants()).isEmpty();
        assertThat(eventsOf(reading)).isEqualTo(3);
        assertThat(reads).hasSize(1);
    }

    @Test
    void ofAJobInMemory_theEventsAreReadOnce_andNoneOfLater() {
        store.append(List.of(PLAIN.submit("a")));
        var live = (Job) StreamFold.of(store, ID).state();
        store.append(List.of(PLAIN.end("a", 2)));

        var reading = JobReading.of(ID, engine(Optional.of(live)), counted()).orElseThrow();

        assertThat(reading.updated()).isEqualTo(SUBMITTED);
        assertThat(eventsOf(reading)).isEqualTo(2);
        assertThat(reads).hasSize(1);
    }

    @Test
    void aJobThatIsNotThere_isNone() {
        assertThat(JobReading.of(ID, engine(Optional.empty()), counted())).isEmpty();
    }

    @Test
    void eventsThatMakeNoSense_areReported() {
        store.append(List.of(PLAIN.step("a", 0)));

        assertThatThrownBy(() -> JobReading.of(ID, engine(Optional.empty()), counted()))
                .isInstanceOf(StoreCorrupt.class)
                .hasMessageContaining("reading job a: its events are inconsistent");
    }
}
