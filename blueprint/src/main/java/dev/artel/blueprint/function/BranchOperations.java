package dev.artel.blueprint.function;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Which branch of a job does which operations of its function. Follows from the entries of the history alone.
final class BranchOperations {
    /// Of the last entries the ids are known, to know whether a step is of the same history.
    private static final int MOST_KNOWN = 1_000;

    private final Map<Integer, Work> works = new HashMap<>();
    private final Map<Integer, Group> groups = new HashMap<>();
    private final LinkedHashMap<String, Boolean> known =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                    return size() > MOST_KNOWN;
                }
            };

    /// The first operation that no branch does yet.
    private int next;

    /// What the next entry begins once more.
    private @Nullable Work again;

    private String last = "";

    /// Operations with consecutive numbers that a branch does.
    record Work(int first, int count) {}

    /// The branches of a fork.
    private static final class Group {
        final int first;
        final int count;
        int ended;

        Group(int first, int count) {
            this.first = first;
            this.count = count;
        }
    }

    /// The operations that no branch does yet, of those that were asked for.
    Work waiting(int operations) {
        return new Work(next, operations - next);
    }

    /// `work` is to be done once more, in the entry that follows.
    void doAgain(Work work) {
        again = work;
    }

    /// No branch of the job does anything any more.
    ///
    /// @param operations how many were asked for
    void stopAll(int operations) {
        works.clear();
        groups.clear();
        next = operations;
    }

    /// What `branch` has done when it goes on; empty if it has done nothing, or forked.
    Optional<Work> workOf(int branch, int parent, int index) {
        var own = works.get(branch);
        if (own != null) {
            return Optional.of(own);
        }
        var group = groups.get(parent);
        return branch == 0 || group == null || index < 0 || index >= group.count
                ? Optional.empty()
                : Optional.of(new Work(group.first + index, 1));
    }

    /// The operation with which `branch` begins; empty if it has gone on since, or is not known to have been forked.
    Optional<Integer> firstOf(int branch, int parent, int index) {
        return works.containsKey(branch)
                ? Optional.empty()
                : workOf(branch, parent, index).map(Work::first);
    }

    /// The operations of the branches that `branch` has forked.
    Optional<Work> forkedBy(int branch) {
        return Optional.ofNullable(groups.get(branch)).map(it -> new Work(it.first, it.count));
    }

    /// Whether all other branches of the fork of `parent` have ended.
    boolean isLast(int parent) {
        var group = groups.get(parent);
        return group != null && group.ended == group.count - 1;
    }

    /// The last entry; empty before the first.
    String last() {
        return last;
    }

    boolean knows(String id) {
        return id.equals(last) || known.containsKey(id);
    }

    /// @param operations how many were asked for up to this entry
    void follow(Entry entry, int operations) {
        last = entry.id();
        known.put(last, true);
        var repeated = again;
        var all = repeated == null ? waiting(operations) : repeated;
        again = null;
        switch (entry.then()) {
            case DIRECT, TOGETHER -> {
                works.put(entry.branch(), all);
                groups.remove(entry.branch());
                next = operations;
            }
            case FORK -> {
                works.remove(entry.branch());
                groups.put(entry.branch(), new Group(all.first(), all.count()));
                next = operations;
            }
            case END -> {
                works.remove(entry.branch());
                groups.remove(entry.branch());
                var group = groups.get(entry.parent());
                if (group != null) {
                    group.ended++;
                }
            }
            case AGAIN, OVER -> {
                works.remove(entry.branch());
                groups.remove(entry.branch());
            }
        }
    }
}
