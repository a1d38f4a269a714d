package dev.artel.engine.core;

import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Predicate;

/// Which effects are held because they need a definition that is not there. A held effect is not answered, so that its job
/// stays as it is until the definition is back. Single-threaded; grows with the jobs that wait, one entry for each effect.
public final class DefinitionHolds {
    private final SequencedMap<JobId, SequencedMap<EffectId, Wanted>> held = new LinkedHashMap<>();

    /// A definition that an effect needs.
    ///
    /// @param version empty: the newest
    /// @param state empty: any
    /// @param client empty: that which the job itself goes on with counts, a planned one too; else, of the planned ones, those that jobs of this client have
    ///     brought along
    public record Wanted(
            String blueprint,
            Optional<String> version,
            Optional<String> state,
            Optional<String> client)
            implements Comparable<Wanted> {
        private static final Comparator<Optional<String>> ABSENT_FIRST =
                Comparator.comparing((Optional<String> text) -> text.isPresent())
                        .thenComparing(text -> text.orElse(""));

        private static final Comparator<Wanted> ORDER =
                Comparator.comparing(Wanted::blueprint)
                        .thenComparing(Wanted::version, ABSENT_FIRST)
                        .thenComparing(Wanted::state, ABSENT_FIRST)
                        .thenComparing(Wanted::client, ABSENT_FIRST);

        /// Maps find those of one hash by it: jobs choose the names.
        @Override
        public int compareTo(Wanted other) {
            return ORDER.compare(this, other);
        }
    }

    /// Holds `effect` of `job` until it is released.
    public void hold(JobId job, EffectId effect, Wanted wanted) {
        held.computeIfAbsent(job, _ -> new LinkedHashMap<>()).put(effect, wanted);
    }

    /// Holds `effect` of `job` no longer, if it was held.
    public void release(JobId job, EffectId effect) {
        held.computeIfPresent(
                job,
                (_, effects) -> {
                    effects.remove(effect);
                    return effects.isEmpty() ? null : effects;
                });
    }

    /// Holds nothing more of `job` but what is among `pending`.
    public void keep(JobId job, List<Effect> pending) {
        held.computeIfPresent(
                job,
                (_, effects) -> {
                    var ids = new LinkedHashSet<EffectId>();
                    pending.forEach(effect -> ids.add(effect.id()));
                    effects.keySet().retainAll(ids);
                    return effects.isEmpty() ? null : effects;
                });
    }

    /// Whether `effect` of `job` is held.
    public boolean holds(JobId job, EffectId effect) {
        var effects = held.get(job);
        return effects != null && effects.containsKey(effect);
    }

    /// Whether anything of `job` is held.
    public boolean holdsAny(JobId job) {
        return held.containsKey(job);
    }

    /// How many jobs have something that is held.
    public int jobs() {
        return held.size();
    }

    /// What is needed, each definition once.
    public List<Wanted> wanted() {
        var all = new LinkedHashSet<Wanted>();
        held.values().forEach(effects -> all.addAll(effects.values()));
        return List.copyOf(all);
    }

    /// The jobs with an effect whose definition is there by now.
    public List<JobId> ready(Predicate<Wanted> isThere) {
        var jobs = new ArrayList<JobId>();
        held.forEach((job, effects) -> {
            if (effects.values().stream().anyMatch(isThere)) {
                jobs.add(job);
            }
        });
        return jobs;
    }
}
