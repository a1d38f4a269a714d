package dev.artel.kernel.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class JobHistoryTest {
    private static final JobId JOB = new JobId("long");
    private static final int MOST_AT_ONCE = 1_000;

    /// So many appends have room in the bytes of a page.
    private static final int MOST_BYTES = 7;

    /// Trap: a rewind of a job with a million events takes as much memory as all of them.
    @Test
    void aLongHistory_isReadInPages_eachEventOnce_inOrder() {
        var limits = new ArrayList<Integer>();
        var appends =
                LongStream.range(0, 2_000)
                        .mapToObj(i ->
                                new StoredEvents(
                                        i * 2 + 1,
                                        i * 2 + 1,
                                        List.of(event(i * 2), event(i * 2 + 1))))
                        .toList();

        var history = new JobHistory(store(appends, limits), JOB);

        assertThat(history)
                .containsExactlyElementsOf(
                        LongStream.range(0, 4_000).mapToObj(JobHistoryTest::event).toList());
        assertThat(limits)
                .hasSizeGreaterThan(1)
                .allSatisfy(limit -> assertThat(limit).isLessThanOrEqualTo(MOST_AT_ONCE));
    }

    @Test
    void anUnknownJob_hasNoEvents() {
        var events = new JobHistory(store(List.of(), new ArrayList<>()), JOB).iterator();

        assertThat(events.hasNext()).isFalse();
        assertThatThrownBy(events::next)
                .isInstanceOf(NoSuchElementException.class)
                .hasMessageContaining("long");
    }

    private static JobEvent event(long number) {
        return new JobEvent.ParentNotified(Instant.ofEpochMilli(number));
    }

    /// A store that can be read in pages only, which end by their bytes.
    private static EventStore store(List<StoredEvents> appends, List<Integer> limits) {
        return (EventStore)
                Proxy.newProxyInstance(
                        EventStore.class.getClassLoader(),
                        new Class<?>[] {EventStore.class},
                        (_, method, args) -> {
                            if (!method.getName().equals("page")
                                    || (long) args[3] > EventStore.EventPage.BYTES) {
                                throw new AssertionError("not read in pages: " + method);
                            }
                            assertThat(args[0]).isEqualTo(StreamId.of(JOB));
                            var after = (long) args[1];
                            var limit = (int) args[2];
                            limits.add(limit);
                            var wanted =
                                    appends.stream()
                                            .filter(append ->
                                                    append.version() + append.events().size() - 1
                                                            > after)
                                            .toList();
                            var most = Math.min(limit, MOST_BYTES);
                            return new EventStore.EventPage(
                                    wanted.subList(0, Math.min(most, wanted.size())),
                                    wanted.size() <= most);
                        });
    }
}
