package dev.artel.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.fleet.Drain;
import dev.artel.kernel.fleet.Fleet;
import dev.artel.kernel.fleet.FleetChange;
import dev.artel.kernel.fleet.FleetChange.Drained;
import dev.artel.kernel.fleet.FleetChange.Judged;
import dev.artel.kernel.fleet.FleetChange.Registered;
import dev.artel.kernel.fleet.FleetChange.Seen;
import dev.artel.kernel.fleet.FleetChange.Undrained;
import dev.artel.kernel.fleet.Registration;
import dev.artel.kernel.fleet.Reputation;
import dev.artel.kernel.fleet.Reputation.Outcome;
import dev.artel.kernel.fleet.WorkerRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/// What every [Fleet] keeps.
public interface FleetContract {
    /// A moment of no importance.
    Instant NOON = Instant.parse("2026-01-02T12:00:00.123Z");

    /// A worker.
    WorkerId ONE = new WorkerId("one");

    /// The fleet under test: empty at the start of each test.
    Fleet fleet();

    /// Closes and opens the fleet; does nothing where nothing is durable.
    default void reopen() {}

    @Test
    default void aWorkerThatWasNeverSeen_isUnknown() {
        assertThat(fleet().find(ONE)).isEmpty();
        assertThat(fleet().list(Optional.empty(), 10)).isEmpty();
    }

    @Test
    default void aWorker_isKnownFromItsFirstSign_andSeenAtItsLatest() {
        fleet().apply(List.of(new Seen(ONE, NOON)));
        fleet().apply(List.of(new Seen(ONE, NOON.plusSeconds(60))));
        fleet().apply(List.of(new Seen(ONE, NOON.plusSeconds(30))));
        reopen();

        assertThat(fleet().find(ONE))
                .contains(
                        new WorkerRecord(
                                ONE,
                                NOON,
                                NOON.plusSeconds(60),
                                Optional.empty(),
                                Reputation.NEW,
                                3));
    }

    @Test
    default void theOutcomesOfAttempts_addUp_howeverTheyAreBatched() {
        var all = Reputation.NEW;
        for (var i = 0; i < 30; i++) {
            var outcome = List.of(Outcome.values()).get(i % 3);
            all = all.after(outcome);
            fleet().apply(List.of(new Judged(ONE, Reputation.NEW.after(outcome), NOON)));
        }
        reopen();

        var kept = fleet().find(ONE).orElseThrow().reputation();
        assertThat(kept.score()).isCloseTo(all.score(), within(1e-9));
        assertThat(kept.succeeded()).isEqualTo(10);
        assertThat(kept.failed()).isEqualTo(10);
        assertThat(kept.lost()).isEqualTo(10);
    }

    @Test
    default void aDrain_standsUntilItIsTakenBack() {
        var drain = new Drain("ops \u00e4", Optional.of("new disk"), NOON);
        fleet().apply(List.of(new Seen(ONE, NOON), new Drained(ONE, drain)));
        reopen();
        assertThat(fleet().find(ONE).orElseThrow().drain()).contains(drain);

        fleet().apply(List.of(new Seen(ONE, NOON.plusSeconds(1))));
        assertThat(fleet().find(ONE).orElseThrow().drain()).contains(drain);

        fleet().apply(List.of(new Undrained(ONE, NOON)));
        assertThat(fleet().find(ONE).orElseThrow().drain()).isEmpty();
    }

    @Test
    default void whatIsApplied_isAnswered_eachWorkerOnce_inTheOrderOfTheirMention() {
        var two = new WorkerId("two");
        var after =
                fleet().apply(
                                List.of(
                                        new Seen(two, NOON),
                                        new Seen(ONE, NOON),
                                        new Seen(two, NOON.plusSeconds(5))));

        assertThat(after).extracting(WorkerRecord::id).containsExactly(two, ONE);
        assertThat(after.getFirst()).isEqualTo(fleet().find(two).orElseThrow());
        assertThat(fleet().apply(List.of())).isEmpty();
    }

    @Test
    default void workers_areListedByName_inPages() {
        var changes = new ArrayList<FleetChange>();
        for (var name : List.of("c", "a", "\u00e9", "b", "d")) {
            changes.add(new Seen(new WorkerId(name), NOON));
        }
        fleet().apply(changes);

        var first = fleet().list(Optional.empty(), 2);
        var rest = fleet().list(Optional.of(first.getLast().id()), 10);

        assertThat(first).extracting(record -> record.id().value()).containsExactly("a", "b");
        assertThat(rest)
                .extracting(record -> record.id().value())
                .containsExactly("c", "d", "\u00e9");
    }

    @Test
    default void workersThatWereNotSeenForLong_areForgotten_unlessSomebodyDrainsThem() {
        var drained = new WorkerId("drained");
        var young = new WorkerId("young");
        fleet().apply(
                        List.of(
                                new Seen(ONE, NOON),
                                new Seen(young, NOON.plusSeconds(60)),
                                new Drained(drained, new Drain("ops", Optional.empty(), NOON))));

        assertThat(fleet().forget(NOON.plusSeconds(60), 10)).isEqualTo(1);

        assertThat(fleet().list(Optional.empty(), 10))
                .extracting(WorkerRecord::id)
                .containsExactly(drained, young);
    }

    @Test
    default void workers_areForgotten_unlessTheyHaveChangedOrAreDrained() {
        var drained = new WorkerId("drained");
        var changed = new WorkerId("changed");
        var records =
                fleet().apply(
                                List.of(
                                        new Registered(ONE, words("one"), NOON),
                                        new Seen(changed, NOON),
                                        new Drained(
                                                drained,
                                                new Drain("ops", Optional.empty(), NOON))));
        fleet().apply(List.of(new Seen(changed, NOON.plusSeconds(1))));

        assertThat(fleet().forget(records)).isEqualTo(1);

        assertThat(fleet().list(Optional.empty(), 10))
                .extracting(WorkerRecord::id)
                .containsExactly(changed, drained);
        assertThat(fleet().registrations(10)).isEmpty();
    }

    @Test
    default void theRegistrationOfAWorker_isKept_andReplacedByItsNextOne() {
        fleet().apply(List.of(new Registered(ONE, words("first"), NOON)));
        fleet().apply(
                        List.of(
                                new Registered(
                                        ONE, words("second \u00e9\n\""), NOON.plusSeconds(1)),
                                new Seen(ONE, NOON.plusSeconds(2))));
        reopen();

        assertThat(fleet().registrations(10))
                .containsExactly(new Registration(ONE, words("second \u00e9\n\"")));
        assertThat(fleet().find(ONE).orElseThrow().lastSeen()).isEqualTo(NOON.plusSeconds(2));
    }

    @Test
    default void registrationsOfTheWorkersSeenLast_areReadFirst_andKeptLongest() {
        for (var name : List.of("a", "b", "c", "d")) {
            fleet().apply(List.of(new Registered(new WorkerId(name), words(name), NOON)));
        }
        fleet().apply(
                        List.of(
                                new Seen(new WorkerId("c"), NOON.plusSeconds(2)),
                                new Seen(new WorkerId("a"), NOON.plusSeconds(1))));

        assertThat(names(fleet().registrations(3))).containsExactly("c", "a", "b");

        assertThat(fleet().forgetRegistrations(Set.of(), 3, 1_000)).isEqualTo(1);
        assertThat(names(fleet().registrations(10))).containsExactly("c", "a", "b");

        var length = words("a").toString().length();
        assertThat(fleet().forgetRegistrations(Set.of(), 3, 2L * length)).isEqualTo(1);
        assertThat(names(fleet().registrations(10))).containsExactly("c", "a");
        assertThat(fleet().list(Optional.empty(), 10)).hasSize(4);
    }

    /// Trap: names without number that come and go push out the registrations of workers that are there.
    @Test
    default void registrationsOfWorkersThatAreNeeded_areKept_thenThoseOfWorkersThatHaveWorked() {
        for (var name : List.of("there", "gone", "worked", "a\"b", "latest")) {
            fleet().apply(List.of(new Registered(new WorkerId(name), words("word"), NOON)));
        }
        fleet().apply(
                        List.of(
                                new Judged(
                                        new WorkerId("worked"),
                                        Reputation.NEW.after(Outcome.LOST),
                                        NOON),
                                new Seen(new WorkerId("gone"), NOON.plusSeconds(1)),
                                new Seen(new WorkerId("latest"), NOON.plusSeconds(2))));
        var needed = Set.of(new WorkerId("there"), new WorkerId("a\"b"));

        assertThat(fleet().forgetRegistrations(needed, 4, 1_000)).isEqualTo(1);
        assertThat(names(fleet().registrations(10)))
                .containsExactlyInAnyOrder("there", "a\"b", "worked", "latest");

        assertThat(fleet().forgetRegistrations(needed, 3, 1_000)).isEqualTo(1);
        assertThat(names(fleet().registrations(10)))
                .containsExactlyInAnyOrder("there", "a\"b", "worked");

        assertThat(fleet().forgetRegistrations(needed, 10, 1)).isEqualTo(1);
        assertThat(names(fleet().registrations(10))).containsExactlyInAnyOrder("there", "a\"b");
    }

    private static List<String> names(List<Registration> registrations) {
        return registrations.stream().map(one -> one.worker().value()).toList();
    }

    private static JsonObject words(String text) {
        return JsonObject.of("worker_type", JsonValue.of(text));
    }

    @Test
    default void theRegistrationOfAForgottenWorker_isForgottenWithIt() {
        var young = new WorkerId("young");
        fleet().apply(
                        List.of(
                                new Registered(ONE, words("old"), NOON),
                                new Registered(young, words("young"), NOON.plusSeconds(60))));

        fleet().forget(NOON.plusSeconds(60), 10);
        fleet().apply(List.of(new Seen(ONE, NOON)));

        assertThat(names(fleet().registrations(10))).containsExactly("young");
    }

    @Test
    default void changesOfManyThreads_areAllKept() throws Exception {
        var once = Reputation.NEW.after(Outcome.SUCCEEDED);
        var writers = new ArrayList<Callable<Object>>();
        for (var i = 0; i < 8; i++) {
            writers.add(() -> {
                for (var j = 0; j < 10; j++) {
                    fleet().apply(List.of(new Judged(ONE, once, NOON)));
                }
                return "";
            });
        }
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var writer : threads.invokeAll(writers)) {
                writer.get();
            }
        }

        var record = fleet().find(ONE).orElseThrow();
        assertThat(record.reputation().succeeded()).isEqualTo(80);
        assertThat(record.version()).isEqualTo(80);
    }
}
