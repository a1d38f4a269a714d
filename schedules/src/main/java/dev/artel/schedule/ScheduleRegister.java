package dev.artel.schedule;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.store.KeyValueStore;
import dev.artel.kernel.store.UnavailableKeyValueStore;
import dev.artel.schedule.rules.ScheduleDefinition;
import dev.artel.schedule.rules.ScheduleState;
import dev.artel.schedule.text.ScheduleCodec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/// Keeps schedules and their states, each in an entry of its own: what people write is written seldom, and may be large. What a call
/// has written is durable.
final class ScheduleRegister {
    /// As many schedules at most.
    static final int MOST = 1000;

    /// No data store of a blueprint has such a name: theirs begin with a blueprint's name and a slash.
    private static final String SPACE = "artel.schedules";

    private static final String DEFINITION = "definition ";
    private static final String STATE = "state ";
    private static final int PAGE = 100;

    private final KeyValueStore store;

    ScheduleRegister(KeyValueStore store) {
        this.store = store;
    }

    /// A schedule and its state.
    ///
    /// @param unreadable why its state cannot be read, so that it must not run and `state` must not be kept; empty: it can
    record Kept(ScheduleDefinition schedule, ScheduleState state, Optional<String> unreadable) {}

    /// All that is kept, by name. What cannot be read is left as it is, and reported to `problems`: without its state a schedule would
    /// run again what has run.
    SequencedMap<String, Kept> read(Consumer<String> problems) {
        var unreadable = new LinkedHashMap<String, String>();
        var states = decoded(STATE, unreadable::put, (_, json) -> ScheduleCodec.state(json));
        var all = new LinkedHashMap<String, Kept>();
        decoded(
                        DEFINITION,
                        (name, why) ->
                                problems.accept(
                                        "schedule '"
                                                + name
                                                + "' cannot be read and does not run ("
                                                + why
                                                + "); write it again"),
                        ScheduleCodec::schedule)
                .forEach((name, schedule) -> {
                    var state = states.get(name);
                    var trouble =
                            Optional.ofNullable(unreadable.get(name))
                                    .map(why ->
                                            "the state of schedule '"
                                                    + name
                                                    + "' cannot be read, so that it does not run ("
                                                    + why
                                                    + "); delete the schedule and write it again");
                    trouble.ifPresent(problems);
                    all.put(
                            name,
                            new Kept(
                                    schedule,
                                    state != null && state.schedule().equals(schedule.id())
                                            ? state
                                            : ScheduleState.initial(schedule),
                                    trouble));
                });
        return all;
    }

    private interface Decoding<T> {
        T decode(String name, JsonObject json);
    }

    private <T> SequencedMap<String, T> decoded(
            String prefix, BiConsumer<String, String> unreadable, Decoding<T> decoding) {
        var all = new TreeMap<String, T>();
        for (var entry : entries(prefix)) {
            var name = entry.key().substring(prefix.length());
            try {
                all.put(name, decoding.decode(name, object(entry.value())));
            } catch (RuntimeException wrong) {
                unreadable.accept(name, String.valueOf(wrong.getMessage()));
            }
        }
        return all;
    }

    private static JsonObject object(JsonValue value) {
        return value instanceof JsonObject object ? object : JsonObject.EMPTY;
    }

    private List<KeyValueStore.Entry> entries(String prefix) {
        var all = new ArrayList<KeyValueStore.Entry>();
        if (store instanceof UnavailableKeyValueStore) {
            return all;
        }
        var after = "";
        while (true) {
            var page = store.list(SPACE, prefix, after, PAGE);
            all.addAll(page);
            if (page.size() < PAGE) {
                return all;
            }
            after = page.getLast().key();
        }
    }

    void write(ScheduleDefinition schedule) {
        var _ =
                store.put(
                        SPACE,
                        DEFINITION + schedule.name(),
                        KeyValueStore.ANY_VERSION,
                        ScheduleCodec.encode(schedule));
    }

    void write(String name, ScheduleState state) {
        var _ =
                store.put(
                        SPACE,
                        STATE + name,
                        KeyValueStore.ANY_VERSION,
                        ScheduleCodec.encode(state));
    }

    /// A state that is left behind belongs to no schedule any more.
    void remove(String name) {
        var _ = store.remove(SPACE, DEFINITION + name, KeyValueStore.ANY_VERSION);
        var _ = store.remove(SPACE, STATE + name, KeyValueStore.ANY_VERSION);
    }
}
