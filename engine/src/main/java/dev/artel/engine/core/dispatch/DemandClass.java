package dev.artel.engine.core.dispatch;

import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.placement.ClosestWorkers;
import dev.artel.kernel.placement.Criterion;
import dev.artel.kernel.placement.Demand;
import dev.artel.kernel.placement.WaitReason;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// All queued tasks that ask the same of a worker, and the workers whose profile has it. Single-threaded.
final class DemandClass {
    final Key key;

    /// How long the key is in words: what the class keeps grows with it.
    final int keyCharacters;

    final TaskQueue queue;
    final List<Criterion> criteria;
    final TaskTypeIndex facts;
    final WorkerSet[] sets;
    final WorkerSet room;

    /// What workers are compared by as a rule.
    private final CandidateScore[] candidateScores;

    private CandidateScore @Nullable [] withGivenBack;

    /// The workers that every criterion admits.
    final WorkerSet fits = new WorkerSet();

    /// For each criterion how many workers meet those before it, and not this one. The first is about the type, and
    /// counted nowhere: it is not met by all that do not offer it.
    final int[] unmet;

    /// The nearest misses at a glance; null if they are to be found out.
    @Nullable ClosestWorkers misses;

    /// The last place that was looked at for [#misses].
    int missesUpTo;

    /// Where it stands among the classes of its type.
    int place;

    /// Where it stands among the classes of its type that have tasks; -1 if it has none.
    int slot = -1;

    /// The search that looks for its tasks; an older one does no more.
    long wantedBy;

    /// Why its tasks wait, if a caller asked, and the version of the floor for which it is true.
    @Nullable WaitReason reason;

    long reasonAt = -1;

    /// What the tasks of a class have in common.
    ///
    /// @param blueprint the name of their jobs' definition
    /// @param client whose they are
    /// @param failedOn the workers on which they have failed
    /// @param warmOnly whether they wait for a warm worker now
    /// @param isWary whether they came back again and again, and go to workers of which nothing did for long
    record Key(
            String type,
            Demand demand,
            String blueprint,
            String client,
            List<WorkerId> failedOn,
            boolean warmOnly,
            boolean isWary)
            implements Comparable<Key> {
        private static final Comparator<Key> ORDER =
                Comparator.comparing(Key::type)
                        .thenComparing(Key::client)
                        .thenComparing(Key::blueprint)
                        .thenComparing(Key::toString);

        /// Of use to maps alone: clients who choose names with one hash make no long list of them.
        @Override
        public int compareTo(Key other) {
            return ORDER.compare(this, other);
        }
    }

    DemandClass(Key key, WorkerIndex workerIndex, Turns turns, Gates gates) {
        this.key = key;
        keyCharacters = key.toString().length();
        queue = new TaskQueue(turns, gates, this);
        facts = workerIndex.type(key.type());
        criteria =
                Criterion.of(
                        key.type(), key.demand(), key.client(), key.failedOn(), key.warmOnly());
        sets =
                criteria.stream()
                        .map(it -> workerIndex.criterion(it, facts))
                        .toArray(WorkerSet[]::new);
        room = workerIndex.room(key.demand().category(), key.client(), facts);
        candidateScores = CandidateScore.of(key);
        unmet = new int[sets.length];
        for (var at = 0; at < workerIndex.words(); at++) {
            var rest = facts.offering.word(at);
            for (var i = 1; rest != 0 && i < sets.length; i++) {
                var met = rest & sets[i].word(at);
                unmet[i] += Long.bitCount(rest ^ met);
                rest = met;
            }
            fits.word(at, rest);
        }
    }

    /// What workers are compared by.
    ///
    /// @param isAnyBehind whether some come behind others, as they gave tasks back
    CandidateScore[] candidateScores(boolean isAnyBehind) {
        if (!isAnyBehind || key.isWary()) {
            return candidateScores;
        }
        var scores = withGivenBack;
        if (scores == null) {
            scores = CandidateScore.withGivenBack(candidateScores);
            withGivenBack = scores;
        }
        return scores;
    }

    /// A worker that offers the type is at `place`, and the criteria know its profile.
    void begin(int place) {
        var first = firstUnmet(place);
        if (first < sets.length) {
            unmet[first]++;
        }
        fits.put(place, first == sets.length);
        if (place <= missesUpTo) {
            misses = null;
        }
    }

    /// The worker at `place` goes, or changes: as long as the criteria know its old profile.
    void end(int place) {
        var first = firstUnmet(place);
        if (first < sets.length) {
            unmet[first]--;
        }
        fits.put(place, false);
        if (place <= missesUpTo) {
            misses = null;
        }
    }

    /// The number of the first criterion that a worker does not meet which offers the type; that after the last if it
    /// meets all.
    int firstUnmet(int place) {
        var first = 1;
        while (first < sets.length && sets[first].has(place)) {
            first++;
        }
        return first;
    }

    /// Whether the worker at `place`, which is ready, takes a task.
    boolean isServedBy(int place) {
        return fits.has(place) && !room.has(place);
    }

    /// The workers among the 64 from `64 * at` on that take a task now.
    long takers(WorkerIndex workerIndex, int at) {
        var fitting = workerIndex.ready.word(at) & fits.word(at);
        return fitting == 0 ? 0 : fitting & ~room.word(at);
    }
}
