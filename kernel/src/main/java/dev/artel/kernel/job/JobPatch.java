package dev.artel.kernel.job;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/// What a client changes of the options of a job that lives.
///
/// @param priority the new one; empty: the job keeps its own
/// @param labels those that are added, or get another value
/// @param removed the names of labels that go; a name that the job does not have changes nothing
public record JobPatch(
        Optional<Double> priority, SequencedMap<String, String> labels, List<String> removed) {
    /// Refuses what has no meaning.
    public JobPatch {
        if (priority.filter(it -> !Double.isFinite(it)).isPresent()) {
            throw new IllegalArgumentException(
                    "priority must be a finite number, was " + priority.get());
        }
        labels = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(labels));
        removed = List.copyOf(removed);
    }

    /// The labels of a job that had `before`: those that stay keep their order, new ones follow.
    public SequencedMap<String, String> labelsAfter(SequencedMap<String, String> before) {
        var after = new LinkedHashMap<>(before);
        after.keySet().removeAll(new LinkedHashSet<>(removed));
        after.putAll(labels);
        return after;
    }
}
