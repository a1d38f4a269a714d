package dev.artel.worker.amqp;

import dev.artel.json.text.JsonText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/// The commands that are in work, and the answers to those that are done: each is done once, however often it comes, and answered each time. It outlives
/// connections. Safe for use by many threads; never waits.
final class CommandBook {
    private static final int MOST_ANSWERS = 10_000;
    private static final long MOST_BYTES = 32L << 20;
    private static final int MOST_STOPPED = 1_000;
    private static final Duration KEPT = Duration.ofHours(24);

    private final Map<Key, Work> works = new HashMap<>();
    private final Map<String, Work> byLease = new HashMap<>();
    private final SequencedMap<Key, Answered> answers = new LinkedHashMap<>();
    private final SequencedSet<String> stopped = new LinkedHashSet<>();
    private long bytes;

    private record Key(String action, String idempotencyKey) {}

    /// What came, over which connection.
    ///
    /// @param settle acknowledges the message
    record Delivery(ReceivedCommand.Origin command, Runnable settle) {}

    private static final class Work {
        final Key key;
        final ReceivedCommand command;
        final long began = System.nanoTime();

        /// By the ids of the commands; a message that comes again replaces the former one.
        final SequencedMap<String, Delivery> waiting = new LinkedHashMap<>();

        Work(Key key, ReceivedCommand command) {
            this.key = key;
            this.command = command;
        }
    }

    private record Answered(CommandOutcome outcome, int bytes, Instant until) {}

    /// What is to be done with a command.
    sealed interface Verdict {
        /// It is new, and in work from now on.
        record Begin() implements Verdict {}

        /// It is in work: its answer comes.
        record Wait() implements Verdict {}

        /// It was done before.
        record Again(CommandOutcome outcome) implements Verdict {}
    }

    /// A command has come.
    synchronized Verdict received(ReceivedCommand command, Runnable settle) {
        var key = new Key(command.action(), command.idempotencyKey());
        var done = answers.get(key);
        if (done != null && done.until().isAfter(Instant.now())) {
            return new Verdict.Again(done.outcome());
        }
        var delivery = new Delivery(command.origin(), settle);
        var work = works.get(key);
        if (work != null) {
            work.waiting.put(command.origin().id(), delivery);
            return new Verdict.Wait();
        }
        if (stopped.remove(command.origin().id())) {
            return new Verdict.Again(CommandOutcome.stopped());
        }
        var begun = new Work(key, command);
        begun.waiting.put(command.origin().id(), delivery);
        works.put(key, begun);
        byLease.put(command.origin().id(), begun);
        return new Verdict.Begin();
    }

    /// Who waits for the answer to a command.
    ///
    /// @param lease the id of the command with which it began
    /// @return empty: nobody, as it is not in work
    synchronized List<Delivery> waiting(String lease) {
        var work = byLease.get(lease);
        return work == null ? List.of() : List.copyOf(work.waiting.sequencedValues());
    }

    /// How long a command is in work.
    synchronized Duration since(String lease) {
        var work = byLease.get(lease);
        return work == null ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - work.began);
    }

    /// The commands of a job that are in work.
    ///
    /// @param job null: of all jobs
    synchronized List<String> leases(@Nullable String job) {
        var found = new ArrayList<String>();
        byLease.forEach((lease, work) -> {
            if (job == null || work.command.job().equals(job)) {
                found.add(lease);
            }
        });
        return found;
    }

    /// A command is to be stopped.
    ///
    /// @return its lease; empty if it is not in work, and is not begun if it comes later
    synchronized Optional<String> stop(String command) {
        for (var work : byLease.entrySet()) {
            if (work.getValue().waiting.containsKey(command)) {
                return Optional.of(work.getKey());
            }
        }
        stopped.add(command);
        if (stopped.size() > MOST_STOPPED) {
            stopped.removeFirst();
        }
        return Optional.empty();
    }

    /// The broker has the answers to `answered`. The command is done if nobody waits any more.
    ///
    /// @return whether it is
    synchronized boolean answered(
            String lease, List<Delivery> answered, CommandOutcome outcome, boolean isKept) {
        var work = byLease.get(lease);
        if (work == null) {
            return true;
        }
        answered.forEach(delivery -> work.waiting.remove(delivery.command().id(), delivery));
        if (!work.waiting.isEmpty()) {
            return false;
        }
        byLease.remove(lease);
        works.remove(work.key);
        if (isKept) {
            keep(work.key, outcome);
        }
        return true;
    }

    private void keep(Key key, CommandOutcome outcome) {
        var size = JsonText.write(outcome.data()).length;
        var before = answers.put(key, new Answered(outcome, size, Instant.now().plus(KEPT)));
        bytes += size - (before == null ? 0 : before.bytes());
        while (answers.size() > MOST_ANSWERS || bytes > MOST_BYTES) {
            bytes -= answers.pollFirstEntry().getValue().bytes();
        }
    }
}
