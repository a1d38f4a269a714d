package dev.artel.store.sqlite;

import dev.artel.json.JsonValue;
import dev.artel.kernel.store.KeyValueStore;
import dev.artel.store.codec.JsonEventCodec;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.concurrent.CountDownLatch;

/// A program with one carrier of virtual threads, which prints whether one goes on while another writes to a store whose lock
/// another program holds.
final class WritesBesideALock {
    static final String GOES_ON = "the other goes on while the write waits";
    static final String WRITTEN = "written";

    private WritesBesideALock() {}

    /// Takes the file of the store.
    public static void main(String... args) throws Exception {
        var file = Path.of(args[0]);
        try (var store = SqliteEventStore.open(file, new JsonEventCodec());
                var other = DriverManager.getConnection("jdbc:sqlite:" + file);
                var lock = other.createStatement()) {
            lock.execute("BEGIN IMMEDIATE");
            var begun = new CountDownLatch(1);
            var write =
                    Thread.startVirtualThread(() -> {
                        begun.countDown();
                        var _ =
                                store.keyValues()
                                        .put(
                                                "space",
                                                "key",
                                                KeyValueStore.ANY_VERSION,
                                                JsonValue.of(1));
                    });
            begun.await();
            for (var i = 0; i < 100; i++) {
                Thread.startVirtualThread(Thread::yield).join();
            }
            System.out.println(write.isAlive() ? GOES_ON : "the other waited for the write");
            lock.execute("ROLLBACK");
            write.join();
            System.out.println(
                    store.keyValues().get("space", "key").isPresent() ? WRITTEN : "not written");
        }
    }
}
