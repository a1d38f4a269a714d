package dev.artel.store.sqlite;

import static dev.artel.testkit.store.SampleAppends.PLAIN;
import static dev.artel.testkit.store.SampleAppends.SUBMITTED;
import static dev.artel.testkit.store.SampleAppends.streamOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.store.Append;
import dev.artel.kernel.store.AppendResult.Appended;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.JobRow;
import dev.artel.kernel.store.StreamFold;
import dev.artel.kernel.task.Payload;
import dev.artel.store.codec.JsonEventCodec;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SqliteFoldsTest {
    private static final JobId ID = new JobId("a");
    private static final int SIGNALS = 1_500;

    @TempDir private Path folder;

    @Test
    void aJobIsFoldedFromItsKeptFoldOn() {
        try (var store = open()) {
            var whole = liveLong(store);
            var middle = fold(store, 40);

            store.folds().keep(middle);

            assertThat(store.folds().find(ID)).contains(middle);
            var replay = StreamFold.of(store, ID);
            assertThat(replay.state()).isEqualTo(whole);
            assertThat(replay.folded()).isEqualTo(whole.version() - middle.version()).isPositive();
        }
    }

    @Test
    void aFoldOutlivesARestart_andANewerOneTakesItsPlace() {
        Job whole;
        try (var store = open()) {
            whole = liveLong(store);
            store.folds().keep(fold(store, 10));
            store.folds().keep(whole);
        }
        try (var store = open()) {
            assertThat(StreamFold.of(store, ID)).isEqualTo(new StreamFold(whole, 0));
        }
    }

    @Test
    void aFoldThatCannotBeRead_isMadeAnewFromTheEvents() throws SQLException {
        try (var store = open()) {
            var whole = liveLong(store);
            store.folds().keep(whole);
            try (var other =
                            DriverManager.getConnection(
                                    "jdbc:sqlite:" + folder.resolve("artel.db"));
                    var statement = other.createStatement()) {
                statement.executeUpdate("UPDATE fold SET state = x'0102'");
            }

            assertThat(store.folds().find(ID)).isEmpty();
            assertThat(StreamFold.of(store, ID)).isEqualTo(new StreamFold(whole, whole.version()));
        }
    }

    @Test
    void aFoldOfAJobThatIsNotThere_isNotKept() {
        try (var store = open()) {
            var whole = liveLong(store);
            var other = new SqliteFoldsTest.Elsewhere(whole).job();

            store.folds().keep(other);

            assertThat(store.folds().find(other.id())).isEmpty();
        }
    }

    /// Trap: a job is removed and submitted anew under its key while the fold of the old one is on its way.
    @Test
    void aFoldOfTheJobThatHadTheIdBefore_isNotKept() {
        try (var store = open()) {
            store.append(List.of(PLAIN.submit("a"), PLAIN.end("a", 2)));
            var old = fold(store, 1);
            assertThat(store.remove(ID)).isEqualTo(EventStore.Removal.REMOVED);
            store.append(List.of(PLAIN.submittedAt(SUBMITTED.plusSeconds(9)).submit("a")));

            store.folds().keep(old);

            assertThat(store.folds().find(ID)).isEmpty();
        }
    }

    private record Elsewhere(Job like) {
        Job job() {
            return (Job)
                    Jobs.evolve(
                                    new JobState.Unsubmitted(new JobId("elsewhere")),
                                    PLAIN.submit("elsewhere").events())
                            .after();
        }
    }

    private SqliteEventStore open() {
        return SqliteEventStore.open(folder.resolve("artel.db"), new JsonEventCodec());
    }

    private static Job fold(SqliteEventStore store, int appends) {
        var state = (JobState) new JobState.Unsubmitted(ID);
        for (var append : store.read(streamOf("a"), 0, appends)) {
            state = Jobs.evolve(state, append.events()).after();
        }
        return (Job) state;
    }

    /// A job that gets one signal after the other.
    private static Job liveLong(SqliteEventStore store) {
        var first = PLAIN.submit("a");
        assertThat(store.append(List.of(first))).hasOnlyElementsOfType(Appended.class);
        var job = (Job) Jobs.evolve(new JobState.Unsubmitted(ID), first.events()).after();
        for (var i = 0; i < SIGNALS; i++) {
            var at = SUBMITTED.plusSeconds(i);
            var signal = new JobCommand.Signal("s" + i % 50, "id-" + i, Payload.EMPTY, "c", at);
            if (Jobs.decide(job, signal)
                    instanceof Decision.Accepted(var events, var after, var _, var _)) {
                var row = JobRow.of((Job) after, at);
                store.append(List.of(new Append(streamOf("a"), job.version(), events, row)));
                job = (Job) after;
            }
        }
        return job;
    }
}
