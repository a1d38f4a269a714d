package dev.artel.session;

import dev.artel.kernel.attempt.WorkerId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The polls that wait for a task.
final class ParkedPolls {
    /// One of them.
    ///
    /// @param token whose token its worker has
    /// @param isKnown whether its worker was there when it came
    /// @param max how many tasks it may bring; at least 1
    record Poll(
            long request,
            WorkerId worker,
            String token,
            boolean isKnown,
            int max,
            SessionReply.Form form,
            Instant until) {}

    /// Which part of the places polls of workers that are not there have: one divided by it. They bring nothing before their worker registers.
    private static final int STRANGERS = 16;

    private final TokenShares known;
    private final TokenShares strangers;

    private final SequencedMap<Long, Poll> polls = new LinkedHashMap<>();

    /// In the order in which their time is up.
    private final TreeSet<Poll> byTime =
            new TreeSet<>(Comparator.comparing(Poll::until).thenComparingLong(Poll::request));

    private final SequencedMap<WorkerId, SequencedSet<Long>> ofWorker = new LinkedHashMap<>();

    /// @param most how many there are
    ParkedPolls(int most) {
        known = new TokenShares(most);
        strangers = new TokenShares(Math.max(2, most / STRANGERS));
    }

    private TokenShares shares(boolean isKnown) {
        return isKnown ? known : strangers;
    }

    /// Whether there is a place for one more poll of a worker of `token`.
    ///
    /// @param isKnown whether the worker is there
    boolean hasRoom(String token, boolean isKnown) {
        return shares(isKnown).hasRoom(token);
    }

    void add(Poll poll) {
        shares(poll.isKnown()).take(poll.token());
        polls.put(poll.request(), poll);
        byTime.add(poll);
        ofWorker.computeIfAbsent(poll.worker(), _ -> new LinkedHashSet<>()).add(poll.request());
    }

    @Nullable Poll remove(long request) {
        var poll = polls.remove(request);
        if (poll != null) {
            shares(poll.isKnown()).free(poll.token());
            byTime.remove(poll);
            var rest = ofWorker.get(poll.worker());
            if (rest != null) {
                rest.remove(request);
                if (rest.isEmpty()) {
                    ofWorker.remove(poll.worker());
                }
            }
        }
        return poll;
    }

    int size() {
        return polls.size();
    }

    int count(WorkerId worker) {
        var requests = ofWorker.get(worker);
        return requests == null ? 0 : requests.size();
    }

    List<Poll> of(WorkerId worker) {
        var found = new ArrayList<Poll>();
        var requests = ofWorker.get(worker);
        if (requests != null) {
            for (var request : requests) {
                var poll = polls.get(request);
                if (poll != null) {
                    found.add(poll);
                }
            }
        }
        return found;
    }

    /// Takes out the polls whose time is up.
    List<Poll> expire(Instant now) {
        var expired = new ArrayList<Poll>();
        while (!byTime.isEmpty() && !byTime.first().until().isAfter(now)) {
            var eldest = byTime.first();
            remove(eldest.request());
            expired.add(eldest);
        }
        return expired;
    }
}
