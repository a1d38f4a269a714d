package dev.artel.session;

import dev.artel.kernel.delivery.LeaseToken;
import dev.artel.kernel.delivery.WorkerId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/// The workers that are there, the last words of those that are gone, and who holds which lease.
final class Roster {
    private final SessionSettings.Limits limits;
    private final SequencedMap<WorkerId, Conversation> present = new LinkedHashMap<>();
    private final SequencedMap<WorkerId, Standing> remembered = new LinkedHashMap<>();
    private final SequencedMap<LeaseToken, WorkerId> holders = new LinkedHashMap<>();

    /// Leases that workers are to give up which have not been heard of yet, as after a restart of the orchestrator.
    private final SequencedMap<LeaseToken, Stray> strays = new LinkedHashMap<>();

    private record Stray(WorkerId worker, Instant until) {}

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
        var conversation = new Conversation(worker, standing, now);
        present.put(worker, conversation);
        remembered.remove(worker);
        strays.entrySet()
                .removeIf(entry -> {
                    var isHis = entry.getValue().worker().equals(worker);
                    if (isHis) {
                        revoke(conversation, entry.getKey(), entry.getValue().until());
                    }
                    return isHis;
                });
        return conversation;
    }

    void end(Conversation conversation) {
        dropLeases(conversation);
        present.remove(conversation.worker);
        remembered.put(conversation.worker, conversation.standing);
        while (remembered.size() > limits.remembered()) {
            remembered.pollFirstEntry();
        }
    }

    /// Who holds a lease, as far as this process has seen.
    @Nullable WorkerId holder(LeaseToken token) {
        return holders.get(token);
    }

    void give(Conversation conversation, LeaseToken token) {
        conversation.holdings.add(token);
        holders.put(token, conversation.worker);
    }

    void confirm(Conversation conversation, LeaseToken token) {
        conversation.holdings.confirm(token);
        holders.put(token, conversation.worker);
    }

    void revoke(Conversation conversation, LeaseToken token, Instant until) {
        conversation.holdings.revoke(token, until);
        holders.put(token, conversation.worker);
    }

    void revokeLater(WorkerId worker, LeaseToken token, Instant until) {
        strays.put(token, new Stray(worker, until));
    }

    /// A lease is over.
    ///
    /// @return whether anybody held it
    boolean drop(LeaseToken token) {
        var stray = strays.remove(token);
        var holder = holders.remove(token);
        var conversation = holder == null ? null : present.get(holder);
        if (conversation != null) {
            conversation.holdings.remove(token);
        }
        return stray != null || holder != null;
    }

    void dropLeases(Conversation conversation) {
        conversation.holdings.tokens().forEach(this::drop);
    }

    /// The leases that workers were to give up and have kept for too long.
    List<LeaseToken> overdue(Instant now) {
        var overdue = new ArrayList<LeaseToken>();
        present.values().forEach(one -> overdue.addAll(one.holdings.overdue(now)));
        strays.forEach((token, stray) -> {
            if (!stray.until().isAfter(now)) {
                overdue.add(token);
            }
        });
        return overdue;
    }
}
