package dev.artel.engine.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.budget.ReportedCost;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.engine.QuestionReply;
import dev.artel.kernel.engine.RenewReply;
import dev.artel.kernel.engine.WorkerPort;
import dev.artel.kernel.fleet.Drain;
import dev.artel.kernel.fleet.Fleet;
import dev.artel.kernel.fleet.FleetChange;
import dev.artel.kernel.fleet.Registration;
import dev.artel.kernel.fleet.Reputation;
import dev.artel.kernel.fleet.Reputation.Outcome;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.fleet.WorkerRecord;
import dev.artel.kernel.question.Question;
import dev.artel.kernel.store.StoreException.StoreUnavailable;
import dev.artel.kernel.task.TaskReport;
import dev.artel.waits.Await;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(Await.HUNG)
final class FleetRegistryTest {
    private static final WorkerId ONE = new WorkerId("one");
    private static final WorkerId TWO = new WorkerId("two");
    private static final JsonObject WORDS = JsonObject.of("cost", JsonValue.of(1));

    private final HangingFleet fleet = new HangingFleet();
    private final HeardEngine engine = new HeardEngine();
    private final Vitals vitals = new Vitals(Supervision.LOG_ONLY, Duration.ofMillis(50));
    private final FleetRegistry book =
            new FleetRegistry(fleet, engine, InstantSource.system(), vitals);

    @AfterEach
    void close() {
        fleet.goOn();
        book.close();
        vitals.close();
    }

    private static List<WorkerId> names(String kind, int count) {
        return IntStream.range(0, count).mapToObj(number -> new WorkerId(kind + number)).toList();
    }

    /// Trap: a client with a token for many names had a million of them come and go, and each was remembered for a month, and read at each start.
    @Test
    void workersThatAreGone_areRememberedUpToABound_andThoseThatHaveWorkedForLongest() {
        var old = Instant.now().minus(Duration.ofDays(2));
        var workers = names("worked-", 10);
        fleet.apply(
                workers.stream()
                        .<FleetChange>map(worker ->
                                new FleetChange.Judged(
                                        worker, Reputation.NEW.after(Outcome.SUCCEEDED), old))
                        .toList());
        fleet.apply(
                List.of(
                        new FleetChange.Seen(ONE, old),
                        new FleetChange.Drained(TWO, new Drain("ops", Optional.empty(), old))));
        fleet.apply(
                names("name-", FleetRegistry.GONE + 2_000).stream()
                        .<FleetChange>map(worker -> new FleetChange.Seen(worker, Instant.now()))
                        .toList());
        book.joined(profile(ONE));

        book.begin();

        assertThat(book.list()).hasSizeLessThan(FleetRegistry.GONE + 1_100);
        assertThat(book.list()).hasSameSizeAs(fleet.list(Optional.empty(), Integer.MAX_VALUE));
        assertThat(book.list())
                .extracting(WorkerRecord::id)
                .contains(ONE, TWO)
                .containsAll(workers);
    }

    /// Trap: the drain of an operator stands for good, and one control on RabbitMQ drains every agent that there ever was.
    @Test
    void drainsOfWorkersThatAreGone_areKeptUpToABound_andThoseOfWorkersThatHaveWorkedForLongest() {
        var old = Instant.now().minus(Duration.ofDays(2));
        var drain = new Drain("control", Optional.empty(), old);
        fleet.apply(
                List.of(
                        new FleetChange.Judged(TWO, Reputation.NEW.after(Outcome.SUCCEEDED), old),
                        new FleetChange.Drained(TWO, drain),
                        new FleetChange.Drained(ONE, drain)));
        fleet.apply(
                names("name-", FleetRegistry.GONE + 2_000).stream()
                        .<FleetChange>map(worker ->
                                new FleetChange.Drained(
                                        worker,
                                        new Drain("control", Optional.empty(), Instant.now())))
                        .toList());
        book.joined(profile(ONE));

        book.begin();

        assertThat(book.list().stream().filter(record -> record.drain().isPresent()))
                .hasSizeBetween(FleetRegistry.GONE, FleetRegistry.GONE + 1_100)
                .extracting(WorkerRecord::id)
                .contains(ONE, TWO);
        assertThat(book.list()).hasSizeLessThan(2 * FleetRegistry.GONE + 1_100);
    }

    @Test
    void workersThatComeAndGo_areForgottenWhileItRuns() {
        book.begin();
        for (var worker : names("name-", FleetRegistry.GONE + 2_000)) {
            book.joined(profile(worker));
            book.left(worker, LeaseEnd.Lost.WORKER_GONE);
        }
        Await.await()
                .untilAsserted(() ->
                        assertThat(fleet.list(Optional.empty(), Integer.MAX_VALUE))
                                .hasSizeBetween(FleetRegistry.GONE, FleetRegistry.GONE + 1_000));
    }

    /// Trap: a token for many names has thousands of them come and go, and living workers are unknown after a restart.
    @Test
    void theRegistrationsOfWorkersThatAreThere_areKept_andOfThoseThatWereThereBeforeTheStart()
            throws Exception {
        var end = Instant.now().minus(Duration.ofHours(2));
        fleet.apply(
                List.of(
                        new FleetChange.Seen(TWO, end),
                        new FleetChange.Seen(
                                new WorkerId("gone-before"), end.minus(Duration.ofHours(1))),
                        new FleetChange.Seen(
                                new WorkerId("there-before"), end.minus(Duration.ofMinutes(5)))));
        book.begin();
        book.joined(profile(ONE));

        register(names("name-", 1_000));

        Await.await()
                .untilAsserted(() ->
                        assertThat(fleet.needed)
                                .contains(ONE, TWO, new WorkerId("there-before"))
                                .doesNotContain(new WorkerId("gone-before")));
    }

    private void register(List<WorkerId> workers) throws InterruptedException {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            threads.invokeAll(
                    workers.stream()
                            .<Callable<Boolean>>map(worker -> () -> book.registered(worker, WORDS))
                            .toList());
        }
    }

    /// Trap: after a restart the registrations are read first of those that were seen last, and those of workers that were there are older.
    @Test
    void whoIsThere_isNotedAtTheEnd() {
        book.begin();
        book.joined(profile(ONE));
        Await.await().until(() -> fleet.find(ONE).isPresent());
        var noted = fleet.find(ONE).orElseThrow().lastSeen();
        Await.await().until(() -> Instant.now().isAfter(noted));

        book.close();

        assertThat(fleet.find(ONE).orElseThrow().lastSeen()).isAfter(noted);
    }

    /// Trap: nothing about workers is recorded any more, and no report names the cause.
    @Test
    void aStoreThatHangs_isNamedWithTheStackOfTheRegistry() throws Exception {
        book.begin();
        vitals.start();
        fleet.hang();
        book.joined(profile(ONE));
        fleet.awaitHanging(1);

        Await.await()
                .untilAsserted(() ->
                        assertThat(vitals.stuck())
                                .filteredOn(part -> part.part().equals("artel-fleet"))
                                .singleElement()
                                .satisfies(part ->
                                        assertThat(part.text()).contains("HangingFleet.apply")));
        fleet.goOn();
        Await.await().untilAsserted(() -> assertThat(vitals.stuck()).isEmpty());
    }

    /// Trap: the book holds its lock over a commit, and the conversation with all workers waits for the disk.
    @Test
    void aStoreThatHangs_holdsUpNobody_butWhoWaitsForSomethingDurable() throws Exception {
        book.begin();
        book.joined(profile(ONE));
        fleet.hang();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var drain = threads.submit(() -> book.drain(ONE, "ops", Optional.empty()));
            var registration = threads.submit(() -> book.registered(ONE, WORDS));
            // The drain, and what the registry writes by itself.
            fleet.awaitHanging(2);

            book.joined(profile(TWO));
            book.left(ONE, LeaseEnd.Lost.WORKER_GONE);
            book.review();
            book.find(ONE);
            book.list();
            assertThat(book.present()).isEqualTo(1);
            assertThat(engine.heard).containsExactly("joined one", "joined two", "left one");
            assertThat(drain.isDone()).isFalse();

            fleet.goOn();
            assertThat(drain.get()).isPresent();
            assertThat(registration.get()).isTrue();
        }
        assertThat(fleet.registrations(10)).containsExactly(new Registration(ONE, WORDS));
    }

    /// Trap: the listener to changes of one worker brings changes of another one, and the iteration over all of them breaks.
    @Test
    void theListenerToChangesOfAWorker_mayBringChangesOfOthersMeanwhile() {
        book.joined(profile(ONE));
        book.joined(profile(TWO));
        var more = new ArrayList<WorkerId>();
        book.reviewedBy(worker -> {
            var other = new WorkerId("after-" + worker);
            more.add(other);
            book.joined(profile(other));
            book.joined(profile(worker));
        });

        book.review();

        assertThat(more).contains(new WorkerId("after-one"), new WorkerId("after-two"));
        assertThat(book.present()).isGreaterThanOrEqualTo(4);
    }

    @Test
    void registrationsThatComeWhileTheStoreIsAtWork_areWrittenTogether() throws Exception {
        book.begin();
        fleet.hang();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var first = threads.submit(() -> book.registered(ONE, WORDS));
            fleet.awaitHanging(1);
            var more = new ArrayList<Future<Boolean>>();
            for (var i = 0; i < 100; i++) {
                var worker = new WorkerId("w" + i);
                more.add(threads.submit(() -> book.registered(worker, WORDS)));
            }
            Await.await().until(() -> book.registrationsThatWait() == 101);
            fleet.goOn();

            assertThat(first.get()).isTrue();
            for (var one : more) {
                assertThat(one.get()).isTrue();
            }
        }
        assertThat(fleet.batches).containsExactly(1, 100);
    }

    @Test
    void aRegistrationThatCannotBeWritten_isAnsweredSo_andWrittenWhenTheStoreIsBack() {
        book.begin();
        fleet.fails = true;
        assertThat(book.registered(ONE, WORDS)).isFalse();

        fleet.fails = false;
        Await.await().until(() -> fleet.registrations(10).size() == 1);
        Await.await().until(() -> book.registrationsThatWait() == 0);
    }

    @Test
    void whatAnOperatorOrders_isSentToTheEngine_forAWorkerThatIsThere() {
        var reviewed = new CopyOnWriteArrayList<WorkerId>();
        book.reviewedBy(
                ((Consumer<WorkerId>) reviewed::add).andThen(id -> book.joined(profile(id))));
        book.joined(profile(ONE));

        book.drain(ONE, "ops", Optional.of("new disk"));
        assertThat(reviewed).containsExactly(ONE);
        assertThat(engine.last.draining()).isTrue();

        book.undrain(ONE);
        assertThat(engine.last.draining()).isFalse();
        assertThat(book.drain(TWO, "ops", Optional.empty())).isEmpty();
    }

    private static WorkerProfile profile(WorkerId worker) {
        return WorkerProfile.of(worker, List.of("echo"), 1);
    }

    /// Hears who comes and goes.
    private static final class HeardEngine implements WorkerPort {
        private final List<String> heard = new CopyOnWriteArrayList<>();
        private volatile WorkerProfile last = profile(new WorkerId("nobody"));

        @Override
        public void joined(WorkerProfile profile) {
            last = profile;
            heard.add("joined " + profile.id());
        }

        @Override
        public void left(WorkerId worker, LeaseEnd reason) {
            heard.add("left " + worker);
        }

        @Override
        public void ask(long ask, WorkerId worker, int max) {}

        @Override
        public void withdraw(long ask) {}

        @Override
        public void renew(WorkerId worker, List<LeaseToken> tokens, Duration term) {}

        @Override
        public RenewReply renewOnly(WorkerId worker, List<LeaseToken> tokens, Duration term) {
            return new RenewReply.Renewed(List.of());
        }

        @Override
        public void end(LeaseToken token, LeaseEnd reason) {}

        @Override
        public CommandReply report(
                WorkerId worker, LeaseToken token, TaskReport report, ReportedCost cost) {
            throw new UnsupportedOperationException("no worker reports here");
        }

        @Override
        public QuestionReply question(
                WorkerId worker,
                LeaseToken token,
                Question question,
                Optional<Duration> within,
                Duration wait) {
            throw new UnsupportedOperationException("no worker asks here");
        }
    }

    /// Remembers workers, and writes only when it is let.
    private static final class HangingFleet implements Fleet {
        private final Map<WorkerId, WorkerRecord> records = new LinkedHashMap<>();
        private final Map<WorkerId, JsonObject> registrations = new LinkedHashMap<>();

        /// How many registrations each write had, if it had any.
        private final List<Integer> batches = new CopyOnWriteArrayList<>();

        private volatile CountDownLatch gate = new CountDownLatch(0);
        private final Semaphore hanging = new Semaphore(0);
        private volatile boolean fails;

        /// Whose registrations were kept when others were forgotten.
        private volatile Set<WorkerId> needed = Set.of();

        void hang() {
            gate = new CountDownLatch(1);
        }

        void goOn() {
            gate.countDown();
        }

        void awaitHanging(int writes) throws InterruptedException {
            hanging.acquire(writes);
        }

        @Override
        public List<WorkerRecord> apply(List<FleetChange> changes) {
            waitFor(gate);
            if (fails) {
                throw new StoreUnavailable("the disk is away", null);
            }
            return alone(() -> {
                var registered = 0;
                for (var change : changes) {
                    records.compute(
                            change.worker(),
                            (_, known) ->
                                    known == null
                                            ? WorkerRecord.begin(change)
                                            : known.after(change));
                    if (change instanceof FleetChange.Registered(var worker, var words, var _)) {
                        registrations.put(worker, words);
                        registered++;
                    }
                }
                if (registered > 0) {
                    batches.add(registered);
                }
                return changes.stream()
                        .map(FleetChange::worker)
                        .distinct()
                        .flatMap(worker -> Optional.ofNullable(records.get(worker)).stream())
                        .toList();
            });
        }

        private void waitFor(CountDownLatch closed) {
            if (closed.getCount() > 0) {
                hanging.release();
            }
            try {
                closed.await();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new StoreUnavailable("interrupted", interrupted);
            }
        }

        private synchronized <T> T alone(Callable<T> act) {
            try {
                return act.call();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public Optional<WorkerRecord> find(WorkerId worker) {
            return alone(() -> Optional.ofNullable(records.get(worker)));
        }

        @Override
        public List<WorkerRecord> list(Optional<WorkerId> after, int limit) {
            return alone(() ->
                    records.values().stream()
                            .filter(record ->
                                    after.isEmpty()
                                            || record.id().value().compareTo(after.get().value())
                                                    > 0)
                            .sorted(Comparator.comparing(record -> record.id().value()))
                            .limit(limit)
                            .toList());
        }

        @Override
        public List<Registration> registrations(int limit) {
            return alone(() ->
                    registrations.entrySet().stream()
                            .map(one -> new Registration(one.getKey(), one.getValue()))
                            .toList());
        }

        @Override
        public int forgetRegistrations(Set<WorkerId> those, int most, long characters) {
            needed = those;
            return 0;
        }

        @Override
        public int forget(Instant before, int limit) {
            return 0;
        }

        @Override
        public int forget(List<WorkerRecord> those) {
            return alone(() -> {
                those.forEach(record -> records.remove(record.id(), record));
                return those.size();
            });
        }
    }
}
