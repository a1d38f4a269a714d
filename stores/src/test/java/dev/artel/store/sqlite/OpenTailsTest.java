package dev.artel.store.sqlite;

import static dev.artel.testkit.store.SampleAppends.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.Append;
import dev.artel.kernel.store.EventCodec;
import dev.artel.kernel.store.EventStore.OpenTail;
import dev.artel.kernel.store.EventStore.OpenTails;
import dev.artel.kernel.store.StreamFold;
import dev.artel.kernel.task.JobData;
import dev.artel.store.codec.JsonEventCodec;
import dev.artel.testkit.store.SampleAppends;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
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
            store.folds().keep((Job) StreamFold.of(store, new JobId("j1")).state());
            store.append(List.of(PLAIN.step("j1", 3), PLAIN.end("j3", 3)));

            var tails = store.openTails(0, 10, Long.MAX_VALUE).jobs();

            assertThat(tails)
                    .extracting(tail -> tail.id().value())
                    .containsExactly("j0", "j1", "j2", "j4");
            assertThat(tails).allSatisfy(tail -> assertThat(tail.appends()).isPresent());
            assertThat(tails.get(1).fold()).isPresent();
            assertThat(tails.get(1).appends().orElseThrow()).hasSize(1);
            for (var tail : tails) {
                assertThat(StreamFold.of(store, tail)).isEqualTo(StreamFold.of(store, tail.id()));
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

            var tails = store.openTails(0, 10, Long.MAX_VALUE).jobs();

            assertThat(tails.getFirst().appends()).isEmpty();
            assertThat(tails.getLast().appends()).isPresent();
            assertThat(StreamFold.of(store, tails.getFirst()).state().version()).isEqualTo(400);
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
            assertThat(store.openTails(0, 10, Long.MAX_VALUE).jobs())
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
            store.folds().keep((Job) StreamFold.of(store, new JobId("folded")).state());
        }
        try (var store =
                SqliteEventStore.open(
                        folder.resolve("artel.db"),
                        new FailingCodec(() -> new StackOverflowError("planted by the test")))) {
            assertThat(store.openTails(0, 10, Long.MAX_VALUE).jobs())
                    .extracting(OpenTail::appends)
                    .satisfiesExactly(
                            good -> assertThat(good).isPresent(),
                            deep -> assertThat(deep).isEmpty(),
                            folded -> assertThat(folded).isEmpty());
        }
    }

    private static List<String> ids(OpenTails page) {
        return page.jobs().stream().map(tail -> tail.id().value()).toList();
    }

    private static Append large(String id, int bytes) {
        return PLAIN.submitWith(id, new JsonString("x".repeat(bytes)));
    }

    /// One that hardly can be compressed.
    private static String text(Random random, int length) {
        return random.ints(length, '0', 'p')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /// The third event of a job, with which its data have `text`.
    private static Append stepWith(String id, String text) {
        var step = PLAIN.step(id, 2);
        var done =
                new JobEvent.StepDone(
                        0,
                        new EffectId(2, 0),
                        JobData.of(JsonObject.of("text", new JsonString(text))),
                        List.of(),
                        SampleAppends.SUBMITTED);
        return new Append(step.stream(), 2, List.of(done), step.row());
    }

    /// Trap: at a start, a thousand jobs with much in each are in memory together.
    @Test
    void aPage_endsWhereItsBytesDo_andTheNextOneGoesOnThere() {
        try (var store = open()) {
            for (var i = 0; i < 5; i++) {
                store.append(List.of(large("j" + i, 10_000)));
            }

            var first = store.openTails(0, 10, 25_000);
            var second = store.openTails(first.next().orElseThrow(), 10, 25_000);
            var third = store.openTails(second.next().orElseThrow(), 10, 25_000);

            assertThat(ids(first)).containsExactly("j0", "j1");
            assertThat(ids(second)).containsExactly("j2", "j3");
            assertThat(ids(third)).containsExactly("j4");
            assertThat(third.next()).isEmpty();
            assertThat(first.jobs()).allSatisfy(tail -> assertThat(tail.appends()).isPresent());
        }
    }

    @Test
    void aJobWithMoreBytesThanAPage_isReadAlone_andTheOthersComeAsBefore() {
        try (var store = open()) {
            store.append(List.of(PLAIN.submit("a"), large("b", 10_000), PLAIN.submit("c")));

            var first = store.openTails(0, 10, 5_000);
            var second = store.openTails(first.next().orElseThrow(), 10, 5_000);
            var third = store.openTails(second.next().orElseThrow(), 10, 5_000);

            assertThat(ids(first)).containsExactly("a");
            assertThat(ids(second)).containsExactly("b");
            assertThat(second.jobs().getFirst().appends()).isEmpty();
            assertThat(ids(third)).containsExactly("c");
            assertThat(third.next()).isEmpty();
        }
    }

    /// Trap: what is behind the folds is bounded, and the folds themselves, which are compressed, are not.
    @Test
    void folds_countAsWell_withMoreThanTheirBytes() {
        var random = new Random(1);
        try (var store = open()) {
            for (var id : List.of("a", "b", "c")) {
                store.append(List.of(PLAIN.submit(id), stepWith(id, text(random, 2_000))));
                store.folds().keep((Job) StreamFold.of(store, new JobId(id)).state());
                store.append(List.of(PLAIN.step(id, 3)));
            }

            var first = store.openTails(0, 10, 75_000);

            assertThat(ids(first)).containsExactly("a", "b");
            assertThat(first.jobs())
                    .allSatisfy(tail -> {
                        assertThat(tail.fold()).isPresent();
                        assertThat(tail.appends()).isPresent();
                    });
            assertThat(ids(store.openTails(first.next().orElseThrow(), 10, 75_000)))
                    .containsExactly("c");
        }
    }

    /// Trap: memory ends while many jobs are read together, and the report names none of them.
    @Test
    void aJobAtWhichMemoryEnds_isTheLastOfItsPage_andIsReadAlone() {
        try (var store = open()) {
            store.append(
                    List.of(PLAIN.submit("good"), PLAIN.submit("much"), PLAIN.submit("after")));
            store.append(List.of(PLAIN.step("much", 2)));
            store.append(List.of(PLAIN.submit("folded"), PLAIN.submit("last")));
            store.folds().keep((Job) StreamFold.of(store, new JobId("folded")).state());
        }
        try (var store =
                SqliteEventStore.open(
                        folder.resolve("artel.db"),
                        new FailingCodec(() -> new OutOfMemoryError("planted by the test")))) {
            var first = store.openTails(0, 10, Long.MAX_VALUE);
            var second = store.openTails(first.next().orElseThrow(), 10, Long.MAX_VALUE);
            var third = store.openTails(second.next().orElseThrow(), 10, Long.MAX_VALUE);

            assertThat(ids(first)).containsExactly("good", "much");
            assertThat(first.jobs().getFirst().appends()).isPresent();
            assertThat(first.jobs().getLast().appends()).isEmpty();
            assertThat(ids(second)).containsExactly("after", "folded");
            assertThat(second.jobs().getLast().appends()).isEmpty();
            assertThat(ids(third)).containsExactly("last");
            assertThat(third.next()).isEmpty();
        }
    }

    /// Reads what begins a job, and fails for what a step has changed and for folds.
    private static final class FailingCodec implements EventCodec {
        private final EventCodec codec = new JsonEventCodec();
        private final Supplier<Error> error;

        FailingCodec(Supplier<Error> error) {
            this.error = error;
        }

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
            throw error.get();
        }

        @Override
        public byte[] encode(Job fold) {
            return codec.encode(fold);
        }

        @Override
        public Optional<Job> decodeFold(byte[] bytes) {
            throw error.get();
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
