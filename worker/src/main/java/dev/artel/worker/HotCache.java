package dev.artel.worker;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedMap;
import java.util.SequencedSet;

/// The names of the models and files that the worker has loaded; orchestrators prefer a worker that is warm.
/// Safe for use by many threads.
public final class HotCache {
    private final SequencedSet<String> names = new LinkedHashSet<>();
    private final Runnable changed;

    HotCache(Runnable changed) {
        this.changed = changed;
    }

    /// Notes that `name` is loaded.
    public void add(String name) {
        boolean isNew;
        synchronized (names) {
            isNew = names.add(name);
        }
        if (isNew) {
            changed.run();
        }
    }

    /// Notes that `name` is not loaded any more.
    public void remove(String name) {
        boolean wasThere;
        synchronized (names) {
            wasThere = names.remove(name);
        }
        if (wasThere) {
            changed.run();
        }
    }

    /// What is loaded, in the order of loading.
    public List<String> names() {
        synchronized (names) {
            return List.copyOf(names);
        }
    }

    /// The skills all of whose models are loaded.
    List<String> hotSkills(SequencedMap<String, List<String>> dependencies) {
        var hot = new ArrayList<String>();
        synchronized (names) {
            dependencies.forEach((skill, models) -> {
                if (names.containsAll(models)) {
                    hot.add(skill);
                }
            });
        }
        return hot;
    }
}
