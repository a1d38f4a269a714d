package dev.artel.store.sqlite;

import static dev.artel.testkit.store.SampleAppends.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.Append;
import dev.artel.kernel.store.EventCodec;
import dev.artel.kernel.store.EventStore.OpenTail;
import dev.artel.kernel.store.Replay;
import dev.artel.store.codec.JsonEventCodec;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Open jobs that are read together are the same as when each is read alone.
final class OpenTailsTest {
    @TempDir private Path folder;

    private SqliteEventStore open() {
        return SqliteEventStore.open(folder.resolve("artel.db"), new JsonEventCodec());
    }

    @Test
    void jobsWithAFold_comeWithWhatIsBehindIt_andAllAreFoldedAlike() {
        try (var store = open()) {
            for (var i = 0; i < 5; i++) {
                store.append(List.of(PLAIN.submit("j" + i), PLAIN.step("j" + i, 2)));
            }
            store.folds().keep((Job) Replay.of(store, new JobId("j1")).state());
            store.append(List.of(PLAIN.step("j1", 3), PLAIN.end("j3", 3)));

            var tails = store.openTails(0, 10).jobs();

            assertThat(tails)
                    .extracting(tail -> tail.id().value())
                    .containsExactly("j0", "j1", "j2", "j4");
            assertThat(tails).allSatisfy(tail -> assertThat(tail.appends()).isPresent());
            assertThat(tails.get(1).fold()).isPresent();
            assertThat(tails.get(1).appends().orElseThrow()).hasSize(1);
            for (var tail : tails) {
                assertThat(Replay.of(store, tail)).isEqualTo(Replay.of(store, tail.id()));
            }
        }
    }

    @Test
    void aJobWithMuchBehindItsFold_isReadAlone() {
        try (var store = open()) {
            store.append(List.of(PLAIN.submit("long"), PLAIN.submit("short")));
            var steps = new ArrayList<Append>();
            for (var version = 2; version < 400; version++) {
                steps.add(PLAIN.step("long", version));
            }
            store.append(steps);

            var tails = store.openTails(0, 10).jobs();

            assertThat(tails.getFirst().appends()).isEmpty();
            assertThat(tails.getLast().appends()).isPresent();
            assertThat(Replay.of(store, tails.getFirst()).state().version()).isEqualTo(400);
        }
    }

    @Test
    void aJobThatCannotBeRead_comesWithoutATail_andKeepsNoOtherFromComing() throws Exception {
        try (var store = open()) {
            store.append(List.of(PLAIN.submit("good"), PLAIN.submit("bad")));
        }
        try (var connection =
                        DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("artel.db"));
                var statement = connection.createStatement()) {
            statement.executeUpdate(
                    "UPDATE append SET events = x'00' WHERE job_key ="
                            + " (SELECT job_key FROM job WHERE id = 'bad')");
        }
        try (var store = open()) {
            assertThat(store.openTails(0, 10).jobs())
                    .extracting(OpenTail::appends)
                    .satisfiesExactly(
                            good -> assertThat(good).isPresent(), bad -> assertThat(bad).isEmpty());
        }
    }

    /// Trap: one job whose reading ends with an error is the end of the page, and so of the start.
    @Test
    void aJobWhoseReadingEndsWithAnError_comesWithoutATail_andKeepsNoOtherFromComing() {
        try (var store = open()) {
            store.append(List.of(PLAIN.submit("good"), PLAIN.submit("deep")));
            store.append(List.of(PLAIN.step("deep", 2)));
            store.append(List.of(PLAIN.submit("folded")));
            store.folds().keep((Job) Replay.of(store, new JobId("folded")).state());
        }
        try (var store =
                SqliteEventStore.open(folder.resolve("artel.db"), new StackOfOneAppend())) {
            assertThat(store.openTails(0, 10).jobs())
                    .extracting(OpenTail::appends)
                    .satisfiesExactly(
                            good -> assertThat(good).isPresent(),
                            deep -> assertThat(deep).isEmpty(),
                            folded -> assertThat(folded).isEmpty());
        }
    }

    /// Has no stack for what a step has changed, nor for folds.
    private static final class StackOfOneAppend implements EventCodec {
        private final EventCodec codec = new JsonEventCodec();

        @Override
        public byte[] encode(List<JobEvent> events) {
            return codec.encode(events);
        }

        @Override
        public List<JobEvent> decode(byte[] bytes) {
            var events = codec.decode(bytes);
            if (events.getFirst() instanceof JobEvent.JobSubmitted) {
                return events;
            }
            throw new StackOverflowError("planted by the test");
        }

        @Override
        public byte[] encode(Job fold) {
            return codec.encode(fold);
        }

        @Override
        public Optional<Job> decodeFold(byte[] bytes) {
            throw new StackOverflowError("planted by the test");
        }

        @Override
        public byte[] encode(JobCommand command) {
            return codec.encode(command);
        }

        @Override
        public JobCommand decodeCommand(byte[] bytes) {
            return codec.decodeCommand(bytes);
        }
    }
}
