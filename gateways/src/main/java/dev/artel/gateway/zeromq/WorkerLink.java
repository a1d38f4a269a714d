package dev.artel.gateway.zeromq;

import dev.artel.gateway.access.TokenConnections;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// One session of a worker: from its registration until it is gone, or registers again. Safe for use by many threads.
final class WorkerLink {
    /// Of how many results that were taken it is remembered that they were.
    private static final int REMEMBERED = 1_000;

    private final PeerName peer;
    private final Introduction introduction;
    private final String session = UUID.randomUUID().toString();

    private Instant heard;
    private boolean isPaused;
    private boolean isUnreachable;
    private @Nullable LinkChannel channel;
    private final SequencedSet<WirePort> greeted = new LinkedHashSet<>();

    private Set<LeaseToken> lost = Set.of();

    private final SequencedMap<LeaseToken, Boolean> settled = new LinkedHashMap<>();

    /// The leases of which there was a result, whatever became of it.
    private final SequencedSet<LeaseToken> reported = new LinkedHashSet<>();

    /// Who a worker is, by its READY.
    ///
    /// @param instance fresh for each of its processes
    /// @param inline larger parameters, in bytes, are fetched by the worker itself
    /// @param keepsLeases whether its tasks outlast its silence here, as it may go on with them over another wire
    record Introduction(
            WorkerId worker,
            String instance,
            int capacity,
            Optional<String> token,
            int inline,
            boolean keepsLeases) {
        @Override
        public String toString() {
            return worker + " " + instance;
        }
    }

    private final TokenConnections.Place place;

    /// @param place of the worker among those that are there under the same token
    WorkerLink(
            PeerName peer, Introduction introduction, TokenConnections.Place place, Instant now) {
        this.peer = peer;
        this.introduction = introduction;
        this.place = place;
        this.heard = now;
    }

    /// The session is over.
    void ended() {
        place.close();
    }

    PeerName peer() {
        return peer;
    }

    WorkerId worker() {
        return introduction.worker();
    }

    Introduction introduction() {
        return introduction;
    }

    String session() {
        return session;
    }

    boolean is(String otherInstance, String otherSession) {
        return introduction.instance().equals(otherInstance) && session.equals(otherSession);
    }

    /// The worker was heard of, or could not have been before.
    synchronized void heard(Instant at) {
        if (at.isAfter(heard)) {
            heard = at;
        }
    }

    /// Whether it was not heard of since `since`; at that very moment is in time.
    synchronized boolean isSilentSince(Instant since) {
        return heard.isBefore(since);
    }

    /// The worker has greeted on a socket.
    ///
    /// @return whether it now has on all that it needs, for the first time
    synchronized boolean greeted(WirePort port) {
        return greeted.add(port) && greeted.size() == 2;
    }

    synchronized void opened(LinkChannel open) {
        channel = open;
    }

    /// Over which tasks are pushed; null if they are not yet.
    synchronized @Nullable LinkChannel channel() {
        return channel;
    }

    /// Nothing is pushed until [#resumes].
    ///
    /// @param unreachable whether it must be shown first that there is a way to the worker
    synchronized void pause(boolean unreachable) {
        isPaused = true;
        isUnreachable |= unreachable;
    }

    /// Whether nothing is pushed until [#resumes].
    synchronized boolean isPaused() {
        return isPaused;
    }

    /// Whether it has to be shown that there is a way to the worker.
    synchronized boolean isUnreachable() {
        return isUnreachable;
    }

    synchronized void isReachable() {
        isUnreachable = false;
    }

    /// Whether nothing was pushed, and something may be from now on.
    synchronized boolean resumes() {
        var resumes = isPaused && !isUnreachable;
        if (resumes) {
            isPaused = false;
        }
        return resumes;
    }

    /// The answer to a heartbeat has named what the worker lists and does not hold.
    synchronized void lost(List<LeaseToken> tokens) {
        // Unlike Set.copyOf, it stays quick whatever the hashes of names are that a peer has
        // chosen.
        lost = new HashSet<>(tokens);
    }

    /// Those of `listed` that the last answer has named.
    synchronized List<LeaseToken> lostOf(List<LeaseToken> listed) {
        return listed.stream().filter(lost::contains).toList();
    }

    /// A result has come.
    synchronized void reported(LeaseToken token) {
        if (reported.add(token) && reported.size() > REMEMBERED) {
            reported.removeFirst();
        }
    }

    /// Whether a result has come, lately.
    synchronized boolean isReported(LeaseToken token) {
        return reported.contains(token);
    }

    /// A result was taken.
    synchronized void settled(LeaseToken token) {
        settled.put(token, true);
        if (settled.size() > REMEMBERED) {
            settled.pollFirstEntry();
        }
    }

    synchronized boolean isSettled(LeaseToken token) {
        return settled.containsKey(token);
    }
}
