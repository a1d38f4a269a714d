package dev.artel.blueprint.function;

import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.JobPast;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/// The entries of a run of a job, also those that a person has taken back.
final class History {
    private final SequencedMap<String, Entry> byId = new LinkedHashMap<>();

    private History() {}

    static History empty() {
        return new History();
    }

    static History of(JobPast past) {
        var history = new History();
        past.forEach(Entry.NAME, history::add);
        return history;
    }

    Entry add(JsonValue value) {
        var entry = Entry.of(value);
        byId.put(entry.id(), entry);
        return entry;
    }

    /// The entries up to `last`, oldest first; none if it is of another job, off which this one was forked: its function begins
    /// anew, and tasks that were done need not be done again.
    List<Entry> upTo(String last) {
        var entries = new ArrayList<Entry>();
        for (var next = byId.get(last); next != null; next = byId.get(next.before())) {
            entries.add(next);
            if (entries.size() > byId.size()) {
                throw new IllegalStateException(
                        "entry "
                                + next.id()
                                + " of a function follows itself; its ids are not unique");
            }
        }
        return entries.reversed();
    }

    /// The last entry of `branch` that followed `before`.
    Optional<Entry> after(String before, int branch) {
        return byId.sequencedValues().reversed().stream()
                .filter(entry -> entry.before().equals(before) && entry.branch() == branch)
                .findFirst();
    }
}
