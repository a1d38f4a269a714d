package dev.artel.store.sqlite;

import static dev.artel.testkit.store.SampleAppends.PLAIN;
import static dev.artel.testkit.store.SampleAppends.SUBMITTED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.store.Append;
import dev.artel.kernel.store.Expiry;
import dev.artel.kernel.store.StoreWatch;
import dev.artel.store.codec.JsonEventCodec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JobRemovalTest {
    private static final int STAY = 5_000;
    private static final int GO = 500;
    private static final int AT_ONCE = 10;

    @TempDir private Path folder;

    /// Trap: each batch looks at all of them again.
    @Test
    void closedChildrenThatStay_areLookedAtOnce_howeverManyBatchesBehindThemGo() throws Exception {
        var transactions = new AtomicInteger();
        try (var store = SqliteEventStore.open(folder.resolve("artel.db"), new JsonEventCodec());
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var appends = new ArrayList<Append>();
            appends.add(PLAIN.submit("parent"));
            for (var i = 0; i < STAY; i++) {
                appends.add(PLAIN.withParent("parent").submit("child" + i));
                appends.add(PLAIN.withParent("parent").end("child" + i, 2));
            }
            for (var i = 0; i < GO; i++) {
                appends.add(PLAIN.submit("other" + i));
                appends.add(PLAIN.end("other" + i, 2, SUBMITTED.plusSeconds(9)));
            }
            store.append(appends);
            store.setWatch(countedIn(transactions));
            var expiry = Expiry.before(SUBMITTED.plusSeconds(10));

            for (var i = 0; i < GO / AT_ONCE; i++) {
                var removed = threads.submit(() -> store.removeClosed(expiry, AT_ONCE));
                assertThat(removed.get()).isEqualTo(AT_ONCE);
            }

            assertThat(threads.submit(() -> store.removeClosed(expiry, AT_ONCE)).get()).isZero();
            assertThat(transactions.get()).isLessThan(300);
        }
    }

    /// Those of the thread that writes for virtual threads.
    private static StoreWatch countedIn(AtomicInteger transactions) {
        return (String part, Duration _) ->
                new StoreWatch.Pulse() {
                    @Override
                    public void begin() {
                        if (part.equals(WriteThread.NAME)) {
                            transactions.incrementAndGet();
                        }
                    }

                    @Override
                    public void rest() {}
                };
    }
}
