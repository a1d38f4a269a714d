package dev.artel.engine.core.dispatch;

import dev.artel.kernel.attempt.WorkerId;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/// How often workers have given back tasks that they had not begun: for a while those that do so again and again come behind all others that
/// can take a task. Otherwise the one that suits best would get it each time, and no other worker would. Also of workers that have left, which
/// may come again. Single-threaded; nothing of it is durable.
final class GivenBack {
    /// How long one time counts; several follow each other.
    static final Duration FORGIVEN_AFTER = Duration.ofMinutes(1);

    /// How many times count.
    static final int MOST = 10;

    /// What comes back within this time counts once: many tasks are lost together with their connection.
    private static final Duration AT_ONCE = Duration.ofSeconds(1);

    /// Once may happen to each.
    private static final int EXCUSED = 1;

    private static final int MOST_WORKERS = 10_000;

    /// The one that gave something back last comes last.
    private final SequencedMap<WorkerId, Account> accounts = new LinkedHashMap<>();

    private long now = Long.MIN_VALUE;

    /// Until when some worker may come behind others.
    private long until = Long.MIN_VALUE;

    /// What counts against one worker.
    static final class Account {
        /// In milliseconds, until when something counts.
        private long until = Long.MIN_VALUE;

        private long last = Long.MIN_VALUE;
    }

    /// It is `now`.
    void at(Instant now) {
        this.now = now.toEpochMilli();
    }

    /// A worker has given a task back.
    ///
    /// @return what counts against it from now on
    Account count(WorkerId worker) {
        var known = accounts.remove(worker);
        var account = known == null ? new Account() : known;
        accounts.put(worker, account);
        if (account.last <= now - AT_ONCE.toMillis() || account.last > now) {
            account.last = now;
            var longest = now + MOST * FORGIVEN_AFTER.toMillis();
            account.until =
                    Math.min(longest, Math.max(now, account.until) + FORGIVEN_AFTER.toMillis());
            until = Math.max(until, account.until);
        }
        while (accounts.size() > MOST_WORKERS || accounts.firstEntry().getValue().until <= now) {
            accounts.pollFirstEntry();
        }
        return account;
    }

    /// What counts against a worker; null if nothing does.
    @Nullable Account of(WorkerId worker) {
        return accounts.get(worker);
    }

    /// Whether any worker may come behind others now.
    boolean isAnyBehind() {
        return until > now && until - now > EXCUSED * FORGIVEN_AFTER.toMillis();
    }

    /// How often the worker of `account` has given something back lately, without what is excused.
    int times(@Nullable Account account) {
        if (account == null || account.until <= now) {
            return 0;
        }
        var term = FORGIVEN_AFTER.toMillis();
        return Math.clamp((account.until - now + term - 1) / term - EXCUSED, 0, MOST);
    }
}
