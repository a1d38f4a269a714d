package dev.artel.engine.core.dispatch;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Which tasks are looked for: those of some demand classes that no limit keeps. Single-threaded; used again and again.
final class Search {
    private final List<Turns.Share> shares = new ArrayList<>();
    private long number;

    /// Looks for nothing yet.
    Search begin() {
        number++;
        shares.clear();
        return this;
    }

    /// Looks for tasks of `demand` as well, if there are some that no limit keeps.
    void want(DemandClass demand) {
        if (demand.queue.mayGo()) {
            demand.wantedBy = number;
            demand.queue.wantedBy(this);
        }
    }

    /// Looks among the tasks of `share` for those with one of `bits` as well.
    void want(Turns.Share share, Bits bits) {
        if (share.wantedBy != number) {
            share.wantedBy = number;
            share.wanted.clear();
            shares.add(share);
        }
        share.wanted.add(bits);
    }

    /// Looks for tasks of this priority alone.
    void keepOnly(double priority) {
        shares.removeIf(share -> share.lane.priority != priority);
    }

    /// Whose turn comes first of those that were not asked for yet; null if there is none.
    Turns.@Nullable Share nextShare() {
        if (shares.isEmpty()) {
            return null;
        }
        var first = 0;
        for (var i = 1; i < shares.size(); i++) {
            first = shares.get(i).compareTo(shares.get(first)) < 0 ? i : first;
        }
        var last = shares.removeLast();
        return first == shares.size() ? last : shares.set(first, last);
    }

    /// Whether the tasks of `group` are looked for. Those that a limit turns out to keep wait at it from now on.
    boolean wants(TaskQueue.Group group) {
        return group.demand().wantedBy == number && group.mayGo();
    }
}
