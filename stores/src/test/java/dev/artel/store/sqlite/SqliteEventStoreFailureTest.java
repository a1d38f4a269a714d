package dev.artel.store.sqlite;

import static dev.artel.testkit.store.SampleAppends.PLAIN;
import static dev.artel.testkit.store.SampleAppends.SUBMITTED;
import static dev.artel.testkit.store.SampleAppends.streamOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.job.JobEvent.TaskSucceeded;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.Append;
import dev.artel.kernel.store.AppendResult;
import dev.artel.kernel.store.AppendResult.Appended;
import dev.artel.kernel.store.AppendResult.Refused;
import dev.artel.kernel.store.Expiry;
import dev.artel.kernel.store.JobRow;
import dev.artel.kernel.store.StoreException.StoreCorrupt;
import dev.artel.kernel.store.StoreException.StoreFull;
import dev.artel.kernel.store.StoreException.StoreUnavailable;
import dev.artel.kernel.task.Payload;
import dev.artel.store.codec.JsonEventCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SqliteEventStoreFailureTest {
    @TempDir Path folder;

    @Test
    void aMissingFolder_isNamed() {
        assertThatThrownBy(() -> open(folder.resolve("no/artel.db")))
                .isInstanceOf(StoreUnavailable.class)
                .hasMessage(
                        "opening store %s/no/artel.db: there is no folder %s/no; create it, or configure another place",
                        folder, folder);
    }

    @Test
    void aFolderInPlaceOfTheFile_isNamed() {
        assertThatThrownBy(() -> open(folder))
                .isInstanceOf(StoreUnavailable.class)
                .hasMessageContaining("opening store " + folder + ": it is a folder");
    }

    @Test
    void aFileThatIsNoDatabase_isCorrupt_andStaysAsItIs() throws IOException {
        var file = Files.writeString(folder.resolve("artel.db"), "x".repeat(10_000));

        assertThatThrownBy(() -> open(file))
                .isInstanceOf(StoreCorrupt.class)
                .hasMessageContaining("opening store " + file)
                .hasMessageContaining("not a database");

        assertThat(file).hasContent("x".repeat(10_000));
    }

    @Test
    void aDatabaseWithDamagedPages_isCorrupt() throws IOException {
        var file = folder.resolve("artel.db");
        try (var store = open(file)) {
            for (var i = 0; i < 200; i++) {
                store.append(List.of(PLAIN.submit("j" + i)));
            }
        }
        var bytes = Files.readAllBytes(file);
        Arrays.fill(bytes, 4096, bytes.length, (byte) 0x5a);
        Files.write(file, bytes);

        assertThatThrownBy(
                        () -> {
                            try (var store = open(file)) {
                                var _ = store.openTails(0, 1_000, Long.MAX_VALUE);
                            }
                        })
                .isInstanceOf(StoreCorrupt.class)
                .hasMessageContaining("restore a backup");
    }

    @Test
    void aStoreThatSomebodyHasOpen_isRefused_untilItIsClosed() {
        var file = folder.resolve("artel.db");
        try (var store = open(file)) {
            assertThatThrownBy(() -> open(file))
                    .isInstanceOf(StoreUnavailable.class)
                    .hasMessageContaining("opening store " + file + ": this process has it open");
            assertThat(store.append(List.of(PLAIN.submit("a")))).hasSize(1);
        }

        try (var again = open(file)) {
            assertThat(again.find(new JobId("a"))).isPresent();
        }
    }

    @Test
    void aStoreOfANewerVersion_isRefused() throws SQLException {
        var file = folder.resolve("artel.db");
        open(file).close();
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                var statement = connection.createStatement()) {
            statement.execute("PRAGMA user_version = 99");
        }

        assertThatThrownBy(() -> open(file))
                .isInstanceOf(StoreUnavailable.class)
                .hasMessageContaining("its tables are of version 99")
                .hasMessageContaining("if a newer Artel wrote it, run that one");
    }

    @Test
    void aFullDisk_isReported_andTheStoreGoesOnOnceThereIsRoom() throws SQLException {
        try (var store = open(folder.resolve("artel.db"))) {
            store.append(List.of(PLAIN.submit("before")));
            store.limitPages(30);

            assertThatThrownBy(() -> store.append(List.of(PLAIN.submit("a"), large("b"))))
                    .isInstanceOf(StoreFull.class)
                    .hasMessageContaining("appending 2 entries in store " + folder)
                    .hasMessageContaining("make room");
            assertThat(store.read(streamOf("a"), 0)).isEmpty();
            assertThat(store.find(new JobId("before"))).isPresent();
            assertThat(store.append(List.of(PLAIN.submit("small"))))
                    .hasOnlyElementsOfType(Appended.class);

            store.limitPages(1_000_000);

            assertThat(store.append(List.of(PLAIN.submit("a"), large("b"))))
                    .hasOnlyElementsOfType(Appended.class);
            assertThat(store.read(streamOf("b"), 0)).hasSize(1);
        }
    }

    @Test
    void entriesThatNoColumnHolds_doNotFailTheirNeighbours() {
        try (var store = open(folder.resolve("artel.db"))) {
            var results =
                    store.append(
                            List.of(
                                    PLAIN.submit("a"),
                                    withRow(PLAIN.submit("nan"), Double.NaN, SUBMITTED),
                                    withRow(PLAIN.submit("far"), 0, Instant.MAX),
                                    withEvents("half", JsonValue.of("\ud800")),
                                    PLAIN.submit("b"),
                                    PLAIN.step("a", 2)));

            assertThat(results)
                    .extracting(AppendResult::getClass)
                    .containsExactly(
                            Appended.class,
                            Refused.class,
                            Refused.class,
                            Refused.class,
                            Appended.class,
                            Appended.class);
            assertThat(((Refused) results.get(1)).reason()).contains("append to job nan");
            assertThat(store.find(new JobId("nan"))).isEmpty();
            assertThat(store.read(streamOf("a"), 0)).hasSize(2);
            assertThat(store.countByStatus())
                    .singleElement()
                    .hasToString("StatusCount[status=running, jobs=2]");
        }
    }

    @Test
    void anAppendToAClosedStore_isABug() {
        var store = open(folder.resolve("artel.db"));
        store.close();
        store.close();

        assertThatThrownBy(() -> store.append(List.of(PLAIN.submit("a"))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is closed");
    }

    @Test
    void whatWasRemoved_makesTheFileSmaller() throws IOException {
        var file = folder.resolve("artel.db");
        try (var store = open(file)) {
            for (var i = 0; i < 400; i++) {
                store.append(List.of(withEvents("j" + i, JsonValue.of("x".repeat(10_000)))));
                store.append(List.of(PLAIN.end("j" + i, 1)));
            }
        }
        assertThat(Files.size(file)).isGreaterThan(4_000_000);

        try (var store = open(file)) {
            assertThat(store.removeClosed(Expiry.before(SUBMITTED.plusSeconds(10)), 1_000))
                    .isEqualTo(400);
        }

        assertThat(Files.size(file)).isLessThan(200_000);
    }

    private static SqliteEventStore open(Path file) {
        return SqliteEventStore.open(file, new JsonEventCodec());
    }

    private static Append large(String id) {
        return withEvents(id, JsonValue.of("x".repeat(500_000)));
    }

    private static Append withEvents(String id, JsonValue value) {
        var event =
                new TaskSucceeded(0, new LeaseToken("t"), "success", Payload.of(value), SUBMITTED);
        return new Append(streamOf(id), 0, List.of(event), PLAIN.submit(id).row());
    }

    private static Append withRow(Append append, double priority, Instant updated) {
        var row = append.row();
        return new Append(
                append.stream(),
                append.expected(),
                append.events(),
                new JobRow(
                        row.id(),
                        row.blueprint(),
                        row.client(),
                        row.state(),
                        row.status(),
                        row.closed(),
                        priority,
                        row.labels(),
                        row.submitted(),
                        updated,
                        row.error()));
    }
}
