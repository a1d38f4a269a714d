package dev.artel.kernel.job;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The calls of a job's webhooks.
///
/// @param pending calls that are neither delivered nor given up, oldest first
/// @param past the last calls that were delivered or given up, oldest first
public record Notices(List<Notice> pending, List<Past> past) {
    /// Nothing.
    public static final Notices NONE = new Notices(List.of(), List.of());

    /// How many are remembered when they are over.
    private static final int REMEMBERED = 50;

    /// Copies both.
    public Notices {
        pending = List.copyOf(pending);
        past = List.copyOf(past);
    }

    /// One that is over.
    ///
    /// @param attempts how often it was tried, as far as is known
    /// @param problem why it was given up; empty if it was delivered
    public record Past(Notice notice, int attempts, Optional<String> problem, Instant at) {}

    Notices with(Notice notice) {
        var more = new ArrayList<>(pending);
        more.add(notice);
        return new Notices(more, past);
    }

    Notices over(Past one) {
        var left = new ArrayList<>(pending);
        left.remove(one.notice());
        var all = new ArrayList<>(past);
        all.add(one);
        return new Notices(left, all.subList(Math.max(0, all.size() - REMEMBERED), all.size()));
    }

    /// The one that `id` names, if it is pending.
    public Optional<Notice> find(EffectId id) {
        return pending.stream().filter(notice -> notice.id().equals(id)).findFirst();
    }
}
