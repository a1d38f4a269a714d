package dev.artel.session;

import dev.artel.kernel.delivery.LeaseToken;
import dev.artel.kernel.delivery.WorkerId;
import dev.artel.kernel.engine.HandOut;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedMap;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/// The workers that are there, the last words of those that are gone, and who holds which lease.
final class Roster {
    private final SessionSettings.Limits limits;
    private final SequencedMap<WorkerId, Conversation> present = new LinkedHashMap<>();
    private final SequencedMap<WorkerId, Standing> remembered = new LinkedHashMap<>();
    private final SequencedMap<LeaseToken, WorkerId> holders = new LinkedHashMap<>();

    /// Leases of workers that have not been heard of yet, as after a restart of the orchestrator.
    private final SequencedMap<WorkerId, Holdings> strays = new LinkedHashMap<>();

    /// Workers that are to give leases up, or were.
    private final SequencedSet<WorkerId> revoking = new LinkedHashSet<>();

    Roster(SessionSettings.Limits limits) {
        this.limits = limits;
    }

    @Nullable Conversation find(WorkerId worker) {
        return present.get(worker);
    }

    @Nullable Standing lastWords(WorkerId worker) {
        return remembered.get(worker);
    }

    boolean isFull() {
        return present.size() >= limits.workers();
    }

    List<Conversation> all() {
        return List.copyOf(present.sequencedValues());
    }

    Conversation begin(WorkerId worker, Standing standing, Instant now) {
        var left = strays.remove(worker);
        var holdings = left == null ? new Holdings() : left;
        var conversation = new Conversation(worker, standing, holdings, now);
        present.put(worker, conversation);
        remembered.remove(worker);
        return conversation;
    }

    void end(Conversation conversation) {
        dropLeases(conversation);
        present.remove(conversation.worker);
        remember(conversation.worker, conversation.standing);
    }

    /// What a worker said that is not there; of too many, those that were recalled or left first are forgotten.
    void recall(WorkerId worker, Standing standing) {
        if (!present.containsKey(worker)) {
            remembered.remove(worker);
            remember(worker, standing);
        }
    }

    private void remember(WorkerId worker, Standing standing) {
        remembered.put(worker, standing);
        while (remembered.size() > limits.remembered()) {
            remembered.pollFirstEntry();
        }
    }

    /// Who holds a lease, as far as this process has seen.
    @Nullable WorkerId holder(LeaseToken token) {
        return holders.get(token);
    }

    /// `worker` has a task, or will have it in a moment.
    void give(WorkerId worker, HandOut task) {
        holdings(worker).add(task);
        holders.put(task.lease().token(), worker);
    }

    private Holdings holdings(WorkerId worker) {
        var conversation = present.get(worker);
        return conversation == null
                ? strays.computeIfAbsent(worker, _ -> new Holdings())
                : conversation.holdings;
    }

    void confirm(Conversation conversation, LeaseToken token) {
        conversation.holdings.confirm(token);
        holders.put(token, conversation.worker);
    }

    void revoke(WorkerId worker, LeaseToken token, Instant until) {
        holdings(worker).revoke(token, until);
        revoking.add(worker);
        holders.put(token, worker);
    }

    /// A lease is over.
    ///
    /// @return whether anybody held it
    boolean drop(LeaseToken token) {
        var holder = holders.remove(token);
        if (holder == null) {
            return false;
        }
        var conversation = present.get(holder);
        var holdings = conversation == null ? strays.get(holder) : conversation.holdings;
        if (holdings != null) {
            holdings.remove(token);
            if (conversation == null && holdings.size() == 0) {
                strays.remove(holder);
            }
        }
        return true;
    }

    void dropLeases(Conversation conversation) {
        conversation.holdings.tokens().forEach(this::drop);
    }

    /// What a worker held that has not been heard of yet, it holds no more.
    void dropStrays(WorkerId worker) {
        var left = strays.get(worker);
        if (left != null) {
            left.tokens().forEach(this::drop);
        }
    }

    /// The leases that workers were to give up and have kept for too long.
    List<LeaseToken> overdue(Instant now) {
        var overdue = new ArrayList<LeaseToken>();
        revoking.removeIf(worker -> {
            var conversation = present.get(worker);
            var holdings = conversation == null ? strays.get(worker) : conversation.holdings;
            if (holdings == null || !holdings.hasRevoked()) {
                return true;
            }
            overdue.addAll(holdings.overdue(now));
            return false;
        });
        return overdue;
    }
}
