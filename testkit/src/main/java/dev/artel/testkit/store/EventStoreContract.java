package dev.artel.testkit.store;

import static dev.artel.testkit.store.SampleAppends.PLAIN;
import static dev.artel.testkit.store.SampleAppends.SUBMITTED;
import static dev.artel.testkit.store.SampleAppends.streamOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.Append;
import dev.artel.kernel.store.AppendResult;
import dev.artel.kernel.store.AppendResult.Appended;
import dev.artel.kernel.store.AppendResult.Refused;
import dev.artel.kernel.store.AppendResult.VersionConflict;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.EventStore.Committed;
import dev.artel.kernel.store.EventStore.StatusCount;
import dev.artel.kernel.store.Expiry;
import dev.artel.kernel.store.JobFilter;
import dev.artel.kernel.store.JobLogs;
import dev.artel.kernel.store.JobPage;
import dev.artel.kernel.store.JobQuery;
import dev.artel.kernel.store.JobRow;
import dev.artel.kernel.store.StoredEvents;
import dev.artel.kernel.store.StreamId;
import dev.artel.kernel.task.Payload;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What every [EventStore] does. A test class of a store implements [#store] and nothing else.
public interface EventStoreContract {
    /// The store under test: empty at the start of each test, and the same one throughout it.
    EventStore store();

    /// One call of [EventStore#append] with `entries`.
    default List<AppendResult> append(Append... entries) {
        return store().append(List.of(entries));
    }

    /// Every event of a job.
    default List<JobEvent> eventsOf(String job) {
        return store().read(streamOf(job), 0).stream()
                .flatMap(append -> append.events().stream())
                .toList();
    }

    /// The ids of the jobs that `query` finds.
    default List<String> idsOf(JobQuery query) {
        return store().list(query).rows().stream().map(row -> row.id().value()).toList();
    }

    @Test
    default void whatWasAppended_isReadBackInOrder() {
        var submit = PLAIN.submit("a");
        var step = PLAIN.step("a", 2);

        assertThat(append(submit)).singleElement().isInstanceOf(Appended.class);
        assertThat(append(step)).singleElement().isInstanceOf(Appended.class);

        assertThat(store().read(streamOf("a"), 0))
                .extracting(StoredEvents::version, StoredEvents::events)
                .containsExactly(tuple(1L, submit.events()), tuple(3L, step.events()));
    }

    @Test
    default void aReadAfterAVersion_givesTheAppendsThatHoldLaterEvents() {
        append(PLAIN.submit("a"), PLAIN.step("a", 2), PLAIN.step("a", 3));

        assertThat(versionsAfter(1)).containsExactly(1L, 3L, 4L);
        assertThat(versionsAfter(2)).containsExactly(3L, 4L);
        assertThat(versionsAfter(3)).containsExactly(4L);
        assertThat(versionsAfter(4)).isEmpty();
    }

    private List<Long> versionsAfter(long version) {
        return store().read(streamOf("a"), version).stream().map(StoredEvents::version).toList();
    }

    @Test
    default void aStreamThatNobodyWrote_isEmpty() {
        assertThat(store().read(streamOf("a"), 0)).isEmpty();
        assertThat(store().find(new JobId("a"))).isEmpty();
    }

    @Test
    default void aStaleVersionIsRefused_andNothingIsWritten() {
        var submit = PLAIN.submit("a");
        append(submit);

        assertThat(append(PLAIN.end("a", 1))).containsExactly(new VersionConflict(2));
        assertThat(append(PLAIN.end("a", 3))).containsExactly(new VersionConflict(2));
        assertThat(append(PLAIN.submit("a"))).containsExactly(new VersionConflict(2));

        assertThat(eventsOf("a")).isEqualTo(submit.events());
        assertThat(store().find(new JobId("a"))).contains(submit.row());
    }

    @Test
    default void anAppendBehindTheEndOfNothing_isRefused() {
        assertThat(append(PLAIN.step("a", 2))).containsExactly(new VersionConflict(0));

        assertThat(eventsOf("a")).isEmpty();
        assertThat(store().find(new JobId("a"))).isEmpty();
    }

    @Test
    default void ofManyWritersOfOneVersion_exactlyOneWins() {
        append(PLAIN.submit("a"));
        var writers = Stream.generate(() -> PLAIN.step("a", 2)).limit(16).toArray(Append[]::new);

        var results = append(writers);

        assertThat(results).filteredOn(Appended.class::isInstance).hasSize(1);
        assertThat(results).filteredOn(new VersionConflict(3)::equals).hasSize(15);
        assertThat(eventsOf("a")).hasSize(3);
    }

    @Test
    default void entriesOfOneStreamInABatch_areAppliedInTheirOrder() {
        var entries =
                List.of(
                        PLAIN.submit("a"),
                        PLAIN.submit("b"),
                        PLAIN.step("a", 2),
                        PLAIN.step("a", 3),
                        PLAIN.step("b", 2),
                        PLAIN.end("a", 4));

        var results = store().append(entries);

        assertThat(results).hasOnlyElementsOfType(Appended.class);
        assertThat(eventsOf("a"))
                .isEqualTo(
                        entries.stream()
                                .filter(entry -> entry.stream().equals(streamOf("a")))
                                .flatMap(entry -> entry.events().stream())
                                .toList());
        assertThat(store().find(new JobId("a"))).contains(entries.getLast().row());
    }

    @Test
    default void laterAppends_haveHigherPositions_whichAreReadBack() {
        var positions = new ArrayList<Long>();
        for (var batch :
                List.of(
                        List.of(PLAIN.submit("a"), PLAIN.submit("b")),
                        List.of(PLAIN.step("b", 2), PLAIN.step("a", 2)))) {
            store().append(batch).forEach(result -> positions.add(((Appended) result).position()));
        }

        assertThat(positions).isSorted().doesNotHaveDuplicates();
        assertThat(positions.get(1) - positions.get(0)).isGreaterThanOrEqualTo(2);
        assertThat(store().read(streamOf("b"), 0))
                .extracting(StoredEvents::position)
                .containsExactly(positions.get(1), positions.get(2));
    }

    @Test
    default void anEntryThatCannotBeWritten_doesNotFailItsNeighbours() {
        var results =
                append(
                        PLAIN.submit("a"),
                        PLAIN.refused("bad"),
                        PLAIN.step("a", 7),
                        PLAIN.submit("b"));

        assertThat(results.get(0)).isInstanceOf(Appended.class);
        assertThat(results.get(1)).isInstanceOf(Refused.class);
        assertThat(results.get(2)).isEqualTo(new VersionConflict(2));
        assertThat(results.get(3)).isInstanceOf(Appended.class);
        assertThat(eventsOf("a")).hasSize(2);
        assertThat(eventsOf("bad")).isEmpty();
        assertThat(store().find(new JobId("bad-other"))).isEmpty();
        assertThat(eventsOf("b")).hasSize(2);
    }

    @Test
    default void anEmptyBatch_isNoWork() {
        assertThat(store().append(List.of())).isEmpty();
    }

    @Test
    default void theRowOfAJob_isTheOneOfItsLastAppend() {
        var labelled = PLAIN.withLabel("team", "red").withLabel("run", "7");
        append(labelled.submit("a"));
        assertThat(store().find(new JobId("a"))).contains(labelled.submit("a").row());

        append(labelled.end("a", 2));

        assertThat(store().find(new JobId("a")))
                .hasValueSatisfying(row -> {
                    assertThat(row).isEqualTo(labelled.end("a", 2).row());
                    assertThat(row.labels().sequencedKeySet()).containsExactly("team", "run");
                });
    }

    @Test
    default void openJobs_comeInTheOrderOfTheirFirstEvents_withAllOfThem() {
        append(PLAIN.submit("c"), PLAIN.submit("a"), PLAIN.submit("b"), PLAIN.step("c", 2));
        append(PLAIN.end("a", 2), PLAIN.step("c", 3));

        var open = store().openTails(0, 10, Long.MAX_VALUE);

        assertThat(open.jobs()).extracting(job -> job.id().value()).containsExactly("c", "b");
        assertThat(open.next()).isEmpty();
        for (var tail : open.jobs()) {
            assertThat(tail.appends().orElseGet(() -> store().read(StreamId.of(tail.id()), 0)))
                    .isEqualTo(store().read(StreamId.of(tail.id()), 0));
        }
        var first = store().openTails(0, 1, Long.MAX_VALUE);
        assertThat(first.jobs()).extracting(job -> job.id().value()).containsExactly("c");
        assertThat(store().openTails(first.next().orElseThrow(), 1, Long.MAX_VALUE).jobs())
                .extracting(job -> job.id().value())
                .containsExactly("b");
    }

    @Test
    default void openJobs_areFoundPieceByPiece_andClosedOnesAreNot() {
        append(IntStream.range(0, 7).mapToObj(i -> PLAIN.submit("o" + i)).toArray(Append[]::new));
        append(PLAIN.end("o3", 2));

        var found = new ArrayList<String>();
        var piece = store().open(0, 4);
        piece.jobs().forEach(job -> found.add(job.value()));
        while (piece.next().isPresent()) {
            piece = store().open(piece.next().getAsLong(), 4);
            piece.jobs().forEach(job -> found.add(job.value()));
        }

        assertThat(found).containsExactly("o0", "o1", "o2", "o4", "o5", "o6");
    }

    @Test
    default void jobs_areListedNewestFirst_pageByPage() {
        append(IntStream.range(0, 10).mapToObj(i -> PLAIN.submit("j" + i)).toArray(Append[]::new));
        append(PLAIN.step("j0", 2));

        assertThat(idsOf(JobQuery.newest(3))).containsExactly("j9", "j8", "j7");
        assertThat(idsOf(page(JobQuery.newest(3), "j7", 0))).containsExactly("j6", "j5", "j4");
        assertThat(idsOf(page(JobQuery.newest(3), "j7", 2))).containsExactly("j4", "j3", "j2");
        assertThat(idsOf(page(JobQuery.newest(3), "j1", 0))).containsExactly("j0");
        assertThat(idsOf(page(JobQuery.newest(3), "j0", 0))).isEmpty();
        assertThat(idsOf(page(JobQuery.newest(3), "unknown", 0))).isEmpty();
    }

    @Test
    default void jobs_areFoundByWhatTheyAre() {
        var red = PLAIN.withLabel("team", "red").withClient("alice");
        append(
                PLAIN.submit("plain"),
                red.submit("red"),
                red.withLabel("run", "1").submit("red1"),
                red.withBlueprint("other").submit("red-other"),
                PLAIN.withLabel("team", "blue").submit("blue"));
        append(red.end("red", 2));

        assertThat(idsOf(query("finished", "", "", PLAIN))).containsExactly("red");
        assertThat(idsOf(query("running", "", "alice", PLAIN)))
                .containsExactly("red-other", "red1");
        assertThat(idsOf(query("", "other", "", PLAIN))).containsExactly("red-other");
        assertThat(idsOf(query("", "", "", PLAIN.withLabel("team", "red"))))
                .containsExactly("red-other", "red1", "red");
        assertThat(idsOf(query("", "", "", red.withLabel("run", "1")))).containsExactly("red1");
        assertThat(idsOf(query("", "sample", "alice", PLAIN.withLabel("team", "blue")))).isEmpty();
    }

    @Test
    default void aListing_goesOnWhereItsLastPageEnded_whateverCameMeanwhile() {
        append(IntStream.range(0, 5).mapToObj(i -> PLAIN.submit("j" + i)).toArray(Append[]::new));

        var first = store().list(JobQuery.newest(2));
        append(PLAIN.submit("late"), PLAIN.end("j3", 2));
        store().removeClosed(Expiry.before(SUBMITTED.plusSeconds(10)), 10);
        var second = store().list(JobQuery.newest(2).belowPlace(first.next().orElseThrow()));
        var third = store().list(JobQuery.newest(2).belowPlace(second.next().orElseThrow()));

        assertThat(ids(first)).containsExactly("j4", "j3");
        assertThat(ids(second)).containsExactly("j2", "j1");
        assertThat(ids(third)).containsExactly("j0");
        assertThat(third.next()).isEmpty();
    }

    /// Trap: each of a thousand jobs has as many labels as it may have, and a page of them, or those that it leaves out, fill the memory.
    @Test
    default void aPage_endsWithTheRowThatMakesItHeavy() {
        var labelled = PLAIN;
        for (var i = 0; i < 50; i++) {
            labelled = labelled.withLabel("label" + i, "\u20ac".repeat(200));
        }
        var submits = labelled;
        for (var i = 0; i < 200; i++) {
            append(submits.submit("j" + i));
        }

        var first = store().list(JobQuery.newest(200));
        var second = store().list(JobQuery.newest(200).belowPlace(first.next().orElseThrow()));

        assertThat(first.isFull()).isTrue();
        var weight = first.rows().stream().mapToLong(JobRow::weight).sum();
        assertThat(weight - first.rows().getLast().weight()).isLessThan(JobPage.MOST_BYTES);
        assertThat(weight).isGreaterThanOrEqualTo(JobPage.MOST_BYTES);
        assertThat(second.isFull()).isFalse();
        assertThat(Stream.concat(ids(first).stream(), ids(second).stream()))
                .containsExactlyElementsOf(
                        IntStream.iterate(199, i -> i >= 0, i -> i - 1)
                                .mapToObj(i -> "j" + i)
                                .toList());
        assertThat(idsOf(JobQuery.newest(1).skipping(199))).containsExactly("j0");
    }

    private static List<String> ids(JobPage page) {
        return page.rows().stream().map(row -> row.id().value()).toList();
    }

    @Test
    default void jobs_areFoundByWhenTheyWereSubmitted() {
        for (var i = 0; i < 10; i++) {
            append(PLAIN.submittedAt(SUBMITTED.plus(Duration.ofHours(i))).submit("j" + i));
        }
        var from = JobFilter.ALL.since(SUBMITTED.plus(Duration.ofHours(3)));

        assertThat(idsOf(JobQuery.of(from.before(SUBMITTED.plus(Duration.ofHours(6))), 10)))
                .containsExactly("j5", "j4", "j3");
        assertThat(idsOf(JobQuery.of(from, 2))).containsExactly("j9", "j8");
        assertThat(idsOf(JobQuery.of(JobFilter.ALL.before(SUBMITTED), 2))).isEmpty();
    }

    @Test
    default void jobs_areFoundByTheWordsOfTheirErrorsAndLabels_openOrClosed() {
        append(
                PLAIN.submit("none"),
                PLAIN.withLabel("order", "Nr-4711").submit("labelled"),
                PLAIN.withError("Connection to db-7 timed out").submit("open"),
                PLAIN.withError("disk of db-7 full").submit("closed"),
                PLAIN.withError("nothing of the kind").submit("other"));
        append(
                PLAIN.withError("disk of db-7 full").end("closed", 2),
                PLAIN.withLabel("order", "Nr-4711").end("labelled", 2));

        assertThat(idsOf(text("db"))).containsExactly("closed", "open");
        assertThat(idsOf(text("FULL: disk!"))).containsExactly("closed");
        assertThat(idsOf(text("timed full"))).isEmpty();
        assertThat(idsOf(text("nr 4711"))).containsExactly("labelled");
        assertThat(idsOf(text("471"))).isEmpty();
        assertThat(idsOf(text("\"' OR *"))).isEmpty();
        assertThat(idsOf(text("--"))).isEmpty();
        assertThat(idsOf(JobQuery.of(JobFilter.ALL.withText("db").withStatus("finished"), 9)))
                .containsExactly("closed");
        store().removeClosed(Expiry.before(SUBMITTED.plusSeconds(10)), 10);
        assertThat(idsOf(text("db"))).containsExactly("open");
    }

    private static JobQuery text(String words) {
        return JobQuery.of(JobFilter.ALL.withText(words), 100);
    }

    @Test
    default void committedEvents_areReadInTheOrderOfTheirPositions() {
        assertThat(store().lastPosition()).isZero();
        append(PLAIN.submit("a"), PLAIN.submit("b"), PLAIN.step("a", 2));

        var all = store().committedAfter(0, 100);

        assertThat(all).extracting(one -> one.job().value()).containsExactly("a", "b", "a");
        assertThat(all).extracting(one -> one.events().version()).containsExactly(1L, 1L, 3L);
        assertThat(store().lastPosition()).isEqualTo(all.getLast().events().position());
        assertThat(store().committedAfter(0, 2)).isEqualTo(all.subList(0, 2));
        assertThat(store().committedAfter(all.getFirst().events().position(), 1))
                .isEqualTo(all.subList(0, 1));
        assertThat(store().committedAfter(all.getFirst().events().position() + 1, 9))
                .isEqualTo(all.subList(1, 3));
        assertThat(store().committedAfter(store().lastPosition(), 9)).isEmpty();
        assertThat(store().committedAfter(Long.MAX_VALUE - 1, 9)).isEmpty();
    }

    @Test
    default void committedEvents_areGivenOneByOne_untilTheirReaderHasEnough() {
        append(PLAIN.submit("a"), PLAIN.submit("b"), PLAIN.step("a", 2));
        var all = store().committedAfter(0, 100);
        var given = new ArrayList<Committed>();

        assertThat(store().readCommitted(0, 4, Long.MAX_VALUE, given::add)).isTrue();
        assertThat(given).isEqualTo(all);
        given.clear();
        assertThat(store().readCommitted(0, 2, Long.MAX_VALUE, given::add)).isFalse();
        assertThat(given).isEqualTo(all.subList(0, 2));
        given.clear();
        assertThat(
                        store().readCommitted(
                                        all.getFirst().events().position() + 1,
                                        9,
                                        Long.MAX_VALUE,
                                        one -> {
                                            given.add(one);
                                            return false;
                                        }))
                .isFalse();
        assertThat(given).isEqualTo(all.subList(1, 2));
        given.clear();
        assertThat(store().readCommitted(store().lastPosition(), 9, Long.MAX_VALUE, given::add))
                .isTrue();
        assertThat(given).isEmpty();
    }

    @Test
    default void aStream_isReadInPieces() {
        append(PLAIN.submit("a"), PLAIN.step("a", 2), PLAIN.step("a", 3));
        var all = store().read(streamOf("a"), 0);

        assertThat(store().read(streamOf("a"), 0, 2)).isEqualTo(all.subList(0, 2));
        assertThat(store().read(streamOf("a"), 2, 1)).isEqualTo(all.subList(1, 2));
        assertThat(store().read(streamOf("a"), 1, 1)).isEqualTo(all.subList(0, 1));
        assertThat(store().read(streamOf("a"), 4, 1)).isEmpty();
        assertThat(store().page(streamOf("a"), 2, 3, Long.MAX_VALUE))
                .isEqualTo(new EventStore.EventPage(all.subList(1, 3), true));
        assertThat(store().page(streamOf("a"), 0, 1, Long.MAX_VALUE))
                .isEqualTo(new EventStore.EventPage(all.subList(0, 1), false));
        assertThat(store().page(streamOf("b"), 0, 1, Long.MAX_VALUE).isLast()).isTrue();
    }

    /// Trap: who goes on behind a position reads all that is before it.
    @Test
    default void theVersionAtAPosition_isFound_alsoWhereThePositionIsOfAnotherJob() {
        append(PLAIN.submit("a"), PLAIN.submit("b"), PLAIN.step("a", 2), PLAIN.step("b", 2));
        append(PLAIN.step("a", 3), PLAIN.step("a", 4));

        var last = store().lastPosition();
        for (var position = 0L; position <= last + 1; position++) {
            assertThat(store().versionAt(streamOf("a"), position))
                    .as("the version at position %d", position)
                    .isEqualTo(eventsUpTo(position));
        }
        assertThat(store().versionAt(streamOf("a"), Long.MAX_VALUE)).isEqualTo(5);
        assertThat(store().versionAt(streamOf("nobody"), last)).isZero();
    }

    /// How many events of job a have this position or a lower one.
    private long eventsUpTo(long position) {
        return store().read(streamOf("a"), 0).stream()
                .mapToLong(append ->
                        Math.clamp(position - append.position() + 1, 0, append.events().size()))
                .sum();
    }

    @Test
    default void theNewestLinesOfALog_areKeptWithTheJob() {
        append(PLAIN.submit("a"));
        var first = new JobLogs.Attempt(new JobId("a"), 0, 1);
        var second = new JobLogs.Attempt(new JobId("a"), 1, 2);
        assertThat(store().logs().keep(second, List.of(line(7)))).isTrue();
        for (var i = 0; i < JobLogs.MAX_LINES + 10; i += 10) {
            store().logs()
                    .keep(
                            first,
                            IntStream.range(i, i + 10).mapToObj(EventStoreContract::line).toList());
        }
        store().logs().keep(new JobLogs.Attempt(new JobId("unknown"), 0, 1), List.of(line(1)));

        assertThat(logOf("a", OptionalInt.of(0)))
                .hasSizeBetween(JobLogs.MAX_LINES, 2 * JobLogs.MAX_LINES)
                .endsWith(new JobLogs.Entry(0, 1, 1010, line(1009)));
        assertThat(logOf("a", OptionalInt.of(1)))
                .containsExactly(new JobLogs.Entry(1, 2, 1, line(7)));
        assertThat(store().logs().read(new JobId("a"), OptionalInt.empty(), Optional.empty(), 2))
                .containsExactly(
                        new JobLogs.Entry(0, 1, 1010, line(1009)),
                        new JobLogs.Entry(1, 2, 1, line(7)));
        assertThat(logBefore(1, 2, 1))
                .containsExactly(
                        new JobLogs.Entry(0, 1, 1009, line(1008)),
                        new JobLogs.Entry(0, 1, 1010, line(1009)));
        assertThat(logBefore(0, 1, 1005))
                .containsExactly(
                        new JobLogs.Entry(0, 1, 1003, line(1002)),
                        new JobLogs.Entry(0, 1, 1004, line(1003)));
        assertThat(logBefore(0, 1, 1)).isEmpty();
        append(PLAIN.end("a", 2));
        store().removeClosed(Expiry.before(SUBMITTED.plusSeconds(10)), 10);
        assertThat(logOf("a", OptionalInt.empty())).isEmpty();
        assertThat(logOf("unknown", OptionalInt.empty())).isEmpty();
    }

    private List<JobLogs.Entry> logOf(String job, OptionalInt task) {
        return store().logs().read(new JobId(job), task, Optional.empty(), 5000);
    }

    private List<JobLogs.Entry> logBefore(int task, int attempt, long number) {
        var place = new JobLogs.Place(task, attempt, number);
        return store().logs().read(new JobId("a"), OptionalInt.empty(), Optional.of(place), 2);
    }

    private static JobLogs.Line line(int number) {
        return new JobLogs.Line(SUBMITTED.plusMillis(number), "info", "line \u00fc " + number);
    }

    @Test
    default void openJobsOfAClient_areCountedUpToABound() {
        append(PLAIN.submit("a"), PLAIN.submit("b"), PLAIN.submit("c"));
        append(PLAIN.withClient("other").submit("d"), PLAIN.end("b", 2));

        assertThat(store().countOpen("tester", 10)).isEqualTo(2);
        assertThat(store().countOpen("tester", 1)).isEqualTo(1);
        assertThat(store().countOpen("other", 10)).isEqualTo(1);
        assertThat(store().countOpen("nobody", 10)).isZero();
    }

    @Test
    default void jobs_areCountedByStatus_inTheOrderOfNames() {
        assertThat(store().countByStatus()).isEmpty();

        append(PLAIN.submit("a"), PLAIN.submit("b"), PLAIN.submit("c"));
        append(PLAIN.end("b", 2));

        assertThat(store().countByStatus())
                .containsExactly(new StatusCount("finished", 1), new StatusCount("running", 2));
    }

    /// Trap: to count those of a client, all that its rows have is read.
    @Test
    default void theNewestJobsOfAClient_areCountedByStatus() {
        var alice = PLAIN.withClient("alice");
        append(alice.submit("oldest"), alice.submit("old"), alice.submit("new"));
        append(PLAIN.withClient("bob").submit("other"));
        append(alice.end("old", 2));

        assertThat(store().countByStatus("alice", 2))
                .containsExactly(new StatusCount("finished", 1), new StatusCount("running", 1));
        assertThat(store().countByStatus("alice", 10))
                .containsExactly(new StatusCount("finished", 1), new StatusCount("running", 2));
        assertThat(store().countByStatus("nobody", 10)).isEmpty();
    }

    @Test
    default void oldClosedJobs_areRemovedWithTheirEvents_andNothingElse() {
        append(PLAIN.submit("old"), PLAIN.submit("open"), PLAIN.submit("new"));
        append(
                PLAIN.end("old", 2, SUBMITTED.plusSeconds(1)),
                PLAIN.end("new", 2, SUBMITTED.plusSeconds(10)));

        assertThat(store().removeClosed(Expiry.before(SUBMITTED.plusSeconds(10)), 100))
                .isEqualTo(1);

        assertThat(store().find(new JobId("old"))).isEmpty();
        assertThat(eventsOf("old")).isEmpty();
        assertThat(idsOf(JobQuery.newest(10))).containsExactly("new", "open");
        assertThat(eventsOf("new")).hasSize(3);
        assertThat(eventsOf("open")).hasSize(2);
        assertThat(append(PLAIN.submit("old"))).singleElement().isInstanceOf(Appended.class);
        assertThat(idsOf(JobQuery.newest(1))).containsExactly("old");
    }

    /// Forks and children share large values with other jobs; removing one of them must not take the value from the
    /// others.
    @Test
    default void aLargeValue_isNamed_asLongAsOneJobNamesIt_andForAWhileAfterwards() {
        var shared = "a".repeat(64);
        var own = "b".repeat(64);
        var never = "c".repeat(64);
        append(PLAIN.submit("one"), PLAIN.submit("two"));
        append(
                PLAIN.endWith("one", 2, new Payload.Ref(shared, 70_000)),
                PLAIN.endWith("two", 2, new Payload.Ref(own, 80_000)));
        append(PLAIN.submit("three"));
        append(PLAIN.endWith("three", 2, new Payload.Ref(shared, 70_000)));
        var digests = List.of(own, never, shared);
        var past = Instant.now().minusSeconds(3600);
        var future = Instant.now().plusSeconds(3600);

        assertThat(store().unnamed(digests, future)).containsExactly(never);
        assertThat(store().removeClosed(Expiry.before(SUBMITTED.plusSeconds(10)), 2)).isEqualTo(2);

        assertThat(store().unnamed(digests, future)).containsExactly(own, never);
        assertThat(store().unnamed(digests, past)).containsExactly(never);
        assertThat(store().forgetNames(past, 10)).isZero();
        assertThat(store().forgetNames(future, 10)).isPositive();
        assertThat(store().unnamed(digests, past)).containsExactly(own, never);
        store().removeClosed(Expiry.before(SUBMITTED.plusSeconds(10)), 2);
        assertThat(store().unnamed(digests, future)).containsExactly(own, never, shared);
    }

    @Test
    default void jobs_areFoundByTheJobThatStartedThem() {
        append(PLAIN.submit("parent"), PLAIN.submit("other"));
        var child = PLAIN.withParent("parent");
        append(child.submit("child-1"), PLAIN.withParent("other").submit("child-2"));
        append(child.end("child-1", 2));
        append(child.submit("child-3"));

        assertThat(idsOf(JobQuery.of(JobFilter.ALL.withParent(new JobId("parent")), 10)))
                .containsExactly("child-3", "child-1");
        assertThat(store().find(new JobId("child-1")).orElseThrow().parent())
                .contains(new JobId("parent"));
        assertThat(store().find(new JobId("parent")).orElseThrow().parent()).isEmpty();
    }

    @Test
    default void closedJobs_areKeptForTheTimeOfTheirBlueprint() {
        var brief = PLAIN.withBlueprint("brief");
        var lasting = PLAIN.withBlueprint("lasting");
        append(brief.submit("brief-old"), brief.submit("brief-new"), lasting.submit("lasting"));
        append(PLAIN.submit("plain-old"), PLAIN.submit("plain-new"));
        append(
                brief.end("brief-old", 2, SUBMITTED.plusSeconds(7)),
                brief.end("brief-new", 2, SUBMITTED.plusSeconds(8)),
                lasting.end("lasting", 2, SUBMITTED.plusSeconds(1)),
                PLAIN.end("plain-old", 2, SUBMITTED.plusSeconds(3)),
                PLAIN.end("plain-new", 2, SUBMITTED.plusSeconds(4)));
        var own = new LinkedHashMap<String, Instant>();
        own.put("lasting", SUBMITTED);
        own.put("brief", SUBMITTED.plusSeconds(8));
        own.put("unknown", SUBMITTED.plusSeconds(10));
        var expiry = new Expiry(SUBMITTED.plusSeconds(4), own);

        assertThat(store().removeClosed(expiry, 10)).isEqualTo(2);

        assertThat(idsOf(JobQuery.newest(10)))
                .containsExactlyInAnyOrder("brief-new", "lasting", "plain-new");
        assertThat(store().removeClosed(expiry, 10)).isZero();
    }

    /// Trap: those that have to stay fill each page of what is looked at, and none behind them is ever removed.
    @Test
    default void anyNumberOfChildrenThatStay_keepNoOtherJobFromItsRemoval() {
        append(PLAIN.submit("parent"));
        var child = PLAIN.withParent("parent");
        for (var i = 0; i < 1_100; i++) {
            append(child.submit("child" + i), child.end("child" + i, 2));
        }
        append(PLAIN.submit("other"), PLAIN.end("other", 2, SUBMITTED.plusSeconds(9)));

        assertThat(store().removeClosed(Expiry.before(SUBMITTED.plusSeconds(10)), 1)).isEqualTo(1);

        assertThat(store().find(new JobId("other"))).isEmpty();
        assertThat(store().find(new JobId("child0"))).isPresent();
    }

    /// Trap: a child that is removed before its parent is begun again by the parent that never heard of its beginning.
    @Test
    default void aJobWhoseParentIsOpen_isNotRemoved() {
        var late = Expiry.before(SUBMITTED.plusSeconds(10));
        append(PLAIN.submit("parent"));
        append(PLAIN.withParent("parent").submit("child"));
        append(PLAIN.withParent("parent").end("child", 2));

        assertThat(store().removeClosed(late, 10)).isZero();

        append(PLAIN.end("parent", 2, SUBMITTED.plusSeconds(20)));
        assertThat(store().removeClosed(late, 10)).isEqualTo(1);
        assertThat(store().find(new JobId("child"))).isEmpty();
        assertThat(store().find(new JobId("parent"))).isPresent();
    }

    @Test
    default void oneJob_isRemovedByItsName_andItsNameIsFreeAgain() {
        append(PLAIN.submit("gone"), PLAIN.submit("stays"));
        append(PLAIN.end("gone", 2), PLAIN.end("stays", 2));

        assertThat(store().remove(new JobId("gone"))).isEqualTo(EventStore.Removal.REMOVED);

        assertThat(store().find(new JobId("gone"))).isEmpty();
        assertThat(eventsOf("gone")).isEmpty();
        assertThat(idsOf(JobQuery.newest(10))).containsExactly("stays");
        assertThat(store().countByStatus()).extracting(count -> count.jobs()).containsExactly(1L);
        assertThat(eventsOf("stays")).hasSize(3);
        assertThat(store().remove(new JobId("gone"))).isEqualTo(EventStore.Removal.UNKNOWN);
        assertThat(append(PLAIN.submit("gone"))).singleElement().isInstanceOf(Appended.class);
        assertThat(eventsOf("gone")).hasSize(2);
    }

    @Test
    default void aJobThatIsNotClosed_norOneWhoseParentIsNot_isRemoved() {
        append(PLAIN.submit("parent"));
        append(PLAIN.withParent("parent").submit("child"));

        assertThat(store().remove(new JobId("child"))).isEqualTo(EventStore.Removal.OPEN);
        append(PLAIN.withParent("parent").end("child", 2));
        assertThat(store().remove(new JobId("child"))).isEqualTo(EventStore.Removal.PARENT_OPEN);
        assertThat(eventsOf("child")).isNotEmpty();

        append(PLAIN.end("parent", 2));
        assertThat(store().remove(new JobId("child"))).isEqualTo(EventStore.Removal.REMOVED);
        assertThat(store().remove(new JobId("parent"))).isEqualTo(EventStore.Removal.REMOVED);
    }

    @Test
    default void noMoreJobsAreRemovedThanAskedFor() {
        for (var i = 0; i < 5; i++) {
            append(PLAIN.submit("j" + i), PLAIN.end("j" + i, 2));
        }

        assertThat(store().removeClosed(Expiry.before(SUBMITTED.plusSeconds(10)), 3)).isEqualTo(3);
        assertThat(store().removeClosed(Expiry.before(SUBMITTED.plusSeconds(10)), 3)).isEqualTo(2);
        assertThat(store().removeClosed(Expiry.before(SUBMITTED.plusSeconds(10)), 3)).isZero();

        assertThat(idsOf(JobQuery.newest(10))).isEmpty();
    }

    private static JobQuery page(JobQuery query, String behind, int offset) {
        return query.behindJob(behind).skipping(offset);
    }

    private static JobQuery query(
            String status, String blueprint, String client, SampleAppends labels) {
        var filter = JobFilter.ALL;
        if (!status.isEmpty()) {
            filter = filter.withStatus(status);
        }
        if (!blueprint.isEmpty()) {
            filter = filter.withBlueprint(blueprint);
        }
        if (!client.isEmpty()) {
            filter = filter.withClient(client);
        }
        for (var label : labels.labels().entrySet()) {
            filter = filter.withLabel(label.getKey(), label.getValue());
        }
        return JobQuery.of(filter, 100);
    }
}
