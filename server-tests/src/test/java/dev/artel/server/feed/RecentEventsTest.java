package dev.artel.server.feed;

import static dev.artel.testkit.store.SampleAppends.PLAIN;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.store.EventStore.Committed;
import dev.artel.server.api.history.StreamRoutes;
import dev.artel.testkit.store.ForwardingEventStore;
import dev.artel.testkit.store.InMemoryEventStore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/// What is kept of the events of all jobs for those who follow them.
final class RecentEventsTest {
    private static final int ROOM = 10_000;

    private final CountedReads store = new CountedReads();

    /// A store that counts how many appends are read from it.
    private static final class CountedReads extends ForwardingEventStore {
        private int appends;

        CountedReads() {
            super(new InMemoryEventStore());
        }

        @Override
        public boolean readCommitted(
                long position, int limit, long bytes, Predicate<Committed> reader) {
            return super.readCommitted(
                    position,
                    limit,
                    bytes,
                    one -> {
                        appends++;
                        return reader.test(one);
                    });
        }
    }

    private static Feeds.OfAll texts(int length) {
        return (one, _, _) ->
                new Feeds.Notification(
                        "event",
                        JsonObject.of(
                                "job_id",
                                JsonValue.of(one.job().value()),
                                "text",
                                JsonValue.of("x".repeat(length))));
    }

    private void append(String job) {
        store.append(List.of(PLAIN.submit(job)));
    }

    /// Those that a reader behind `position` gets until there are no more.
    private static List<WrittenAppend> all(RecentEvents recent, long position) {
        var found = new ArrayList<WrittenAppend>();
        var at = position;
        for (var some = recent.after(at); !some.isEmpty(); some = recent.after(at)) {
            found.addAll(some);
            at = some.getLast().last();
        }
        return found;
    }

    /// Trap: a few hundred large jobs and one reader fill the memory, also when the reader has gone.
    @Test
    void whatIsKept_hasABoundInBytes_andReadersBehindItReadFromTheStore() {
        var recent = new RecentEvents(store, texts(1_000), ROOM);
        assertThat(recent.after(0)).isEmpty();
        for (var i = 0; i < 100; i++) {
            append("j" + i);
            assertThat(recent.after(i == 0 ? 0 : recent.lastPosition() - 2)).isNotEmpty();
            assertThat(recent.bytes()).isLessThanOrEqualTo(ROOM);
        }

        assertThat(recent.bytes()).isGreaterThan(ROOM / 2);
        assertThat(all(recent, 0))
                .hasSize(100)
                .extracting(WrittenAppend::last)
                .isSorted()
                .doesNotHaveDuplicates();
    }

    @Test
    void whatIsKept_isReadOnce_whateverTheNumberOfReaders() {
        var recent = new RecentEvents(store, texts(10), ROOM);
        assertThat(recent.after(0)).isEmpty();
        append("a");
        append("b");

        assertThat(all(recent, 0)).hasSize(2);
        assertThat(all(recent, 0)).hasSize(2);

        assertThat(store.appends).isEqualTo(2);
    }

    @Test
    void anAppendThatIsLargerThanAllThatIsKept_reachesEachReader() {
        var recent = new RecentEvents(store, texts(ROOM), ROOM);
        assertThat(recent.after(0)).isEmpty();
        append("a");
        append("b");

        assertThat(all(recent, 0)).hasSize(2);
        assertThat(all(recent, 0)).hasSize(2);
        assertThat(recent.bytes()).isZero();
    }

    /// Trap: a reader from the first position has hundreds of large appends decoded at once.
    /// Each has two events of 100 KB.
    @Test
    void aPiece_endsByItsBytes_andNoFurtherAppendIsRead() {
        var recent = new RecentEvents(store, texts(100_000), ROOM);
        for (var i = 0; i < 10; i++) {
            append("j" + i);
        }

        assertThat(recent.after(0)).hasSize(2);
        assertThat(store.appends).isEqualTo(2);
        assertThat(all(recent, 0)).hasSize(10);
    }

    /// Trap: 60 KB of `{}` take megabytes where they are decoded.
    @Test
    void theValuesOfEvents_areNotKept() {
        var recent = new RecentEvents(store, StreamRoutes.briefs(), 8 << 20);
        assertThat(recent.after(0)).isEmpty();
        var many = new JsonArray(Collections.nCopies(20_000, JsonObject.EMPTY));
        store.append(List.of(PLAIN.submitWith("a", many)));

        var brief = recent.after(0);

        assertThat(brief).hasSize(1);
        assertThat(recent.bytes()).isLessThan(2_000);
        assertThat(new String(brief.getFirst().frames().getFirst().bytes(), UTF_8))
                .startsWith("id: 1\nevent: job.submitted\ndata: {\"job_id\":\"a\"")
                .endsWith("}\n\n");
    }
}
