package dev.artel.worker;

import dev.artel.protocol.Skill;
import dev.artel.protocol.TaskOutcome;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/// The task types that a worker does, by name.
final class TaskTypes {
    private final SequencedMap<String, HandledType> byName = new LinkedHashMap<>();

    TaskTypes(Collection<HandledType> types) {
        types.forEach(type -> byName.put(type.name(), type));
    }

    @Nullable HandledType find(String name) {
        return byName.get(name);
    }

    TaskOutcome unknown(String name) {
        return new TaskOutcome.Failed(
                TaskOutcome.PERMANENT_ERROR,
                "this worker does not do tasks of type '" + name + "', only " + byName.keySet());
    }

    List<Skill> skills() {
        return byName.values().stream().map(HandledType::skill).toList();
    }

    /// The categories of all types, null for those without one.
    Collection<@Nullable String> categories() {
        var categories = new HashSet<@Nullable String>();
        byName.values().forEach(type -> categories.add(type.category()));
        return categories;
    }

    /// The names of the types whose category has room.
    List<String> available(TaskSlots slots) {
        var names = new ArrayList<String>();
        for (var type : byName.values()) {
            if (slots.isOpen(type.category())) {
                names.add(type.name());
            }
        }
        return names;
    }
}
