package dev.artel.examples.photos.demo;

import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;

/// What the history of a job shows: which worker holds what, what was lost, and where it went. Not safe for use by many
/// threads.
final class JobStory {
    private final SequencedMap<String, Held> held = new LinkedHashMap<>();
    private final Map<Long, String> lost = new TreeMap<>();
    private final Map<String, Integer> done = new TreeMap<>();
    private long version;
    private int settled;
    private int opened;
    private boolean hasEnded;

    /// A lease.
    record Held(long task, String worker, Instant since) {}

    /// Something worth showing.
    sealed interface Turn {
        /// A lease ended without a report.
        record Lost(Held lease, String reason, Instant at) implements Turn {}

        /// A task that was lost is in other hands.
        record Moved(long task, String from, String to, long attempt, String because)
                implements Turn {}
    }

    /// Hears what happened next, oldest first.
    List<Turn> hear(List<JsonObject> events) {
        var turns = new ArrayList<Turn>();
        for (var event : events) {
            version = number(event, "version");
            hear(event).ifPresent(turns::add);
        }
        return turns;
    }

    private Optional<Turn> hear(JsonObject event) {
        switch (event.string("type").orElse("")) {
            case "tasks.opened" -> opened += (int) number(event, "count");
            case "lease.granted" -> {
                return granted(event);
            }
            case "lease.lost", "lease.returned" -> {
                return lost(event);
            }
            case "attempt.failed" -> held.remove(text(event, "task_id"));
            case "task.succeeded" -> {
                settled++;
                var lease = held.remove(text(event, "task_id"));
                if (lease != null) {
                    done.merge(lease.worker(), 1, Integer::sum);
                }
            }
            case "task.failed" -> {
                settled++;
                held.values().removeIf(lease -> lease.task() == number(event, "task"));
            }
            case "job.ended", "job.quarantined" -> hasEnded = true;
            default -> {
                // has nothing about tasks
            }
        }
        return Optional.empty();
    }

    private Optional<Turn> granted(JsonObject event) {
        var lease = new Held(number(event, "task"), text(event, "worker"), at(event));
        held.put(text(event, "task_id"), lease);
        var before = lost.remove(lease.task());
        if (before == null) {
            return Optional.empty();
        }
        var because =
                event.object("placement")
                        .flatMap(placement -> placement.string("because"))
                        .orElse("it was free");
        return Optional.of(
                new Turn.Moved(
                        lease.task(), before, lease.worker(), number(event, "attempt"), because));
    }

    private Optional<Turn> lost(JsonObject event) {
        var lease = held.remove(text(event, "task_id"));
        if (lease == null) {
            return Optional.empty();
        }
        lost.put(lease.task(), lease.worker());
        return Optional.of(new Turn.Lost(lease, text(event, "reason"), at(event)));
    }

    /// Who has something in hand, oldest lease first.
    List<Held> held() {
        return List.copyOf(held.values());
    }

    /// How many tasks each worker has done.
    Map<String, Integer> done() {
        return new TreeMap<>(done);
    }

    /// The version up to which the history was heard.
    long version() {
        return version;
    }

    int settled() {
        return settled;
    }

    /// The sheet is a task too, which is not opened before all others are done.
    int total() {
        return opened == 0 ? 0 : opened + 1;
    }

    boolean hasEnded() {
        return hasEnded;
    }

    private static Instant at(JsonObject event) {
        return Instant.parse(text(event, "at"));
    }

    private static String text(JsonObject event, String name) {
        return event.string(name).orElseThrow();
    }

    private static long number(JsonObject event, String name) {
        return event.number(name).map(JsonNumber::asLong).orElseThrow();
    }
}
