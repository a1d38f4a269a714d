package dev.artel.access;

import java.io.IOException;
import java.time.InstantSource;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// How many jobs clients have submitted this month (UTC). Safe for use by many threads; what is counted is durable, and
/// a clock that goes back gives nobody anything.
final class Quota {
    private final InstantSource clock;
    private final @Nullable QuotaFile file;
    private final ReentrantLock counting = new ReentrantLock();
    private final ReentrantLock saving = new ReentrantLock();
    private final SequencedMap<String, Long> used;
    private YearMonth month;
    private long changes;
    private long saved;

    /// @param file null: nothing is kept
    Quota(InstantSource clock, @Nullable QuotaFile file) {
        this.clock = clock;
        this.file = file;
        var now = month(clock);
        var before = file == null ? new QuotaFile.Used(now, new LinkedHashMap<>()) : file.read(now);
        month = before.month();
        used = before.used();
    }

    private static YearMonth month(InstantSource clock) {
        return YearMonth.from(clock.instant().atZone(ZoneOffset.UTC));
    }

    /// Takes `jobs` of the `most` that `client` has in a month.
    ///
    /// @return false if so many are not left; nothing is taken then
    /// @throws IOException if it cannot be made durable; nothing is taken then
    boolean take(String client, long most, int jobs) throws IOException {
        long change;
        counting.lock();
        try {
            turnThePage();
            var before = used.getOrDefault(client, 0L);
            if (jobs > most - before) {
                return false;
            }
            used.put(client, before + jobs);
            change = ++changes;
        } finally {
            counting.unlock();
        }
        try {
            save(change);
            return true;
        } catch (IOException failed) {
            giveBack(client, jobs);
            throw failed;
        }
    }

    /// Jobs that were taken were not made. Durable with the next change.
    void giveBack(String client, int jobs) {
        counting.lock();
        try {
            used.computeIfPresent(client, (_, count) -> Math.max(0, count - jobs));
            changes++;
        } finally {
            counting.unlock();
        }
    }

    /// How many of its `most` jobs `client` has left.
    long left(String client, long most) {
        counting.lock();
        try {
            turnThePage();
            return Math.max(0, most - used.getOrDefault(client, 0L));
        } finally {
            counting.unlock();
        }
    }

    /// When the month ends, and counting begins anew.
    java.time.Duration untilNextMonth() {
        var now = clock.instant();
        var next = month(clock).plusMonths(1).atDay(1).atStartOfDay(ZoneOffset.UTC).toInstant();
        return java.time.Duration.between(now, next);
    }

    /// Writes what is counted and not yet durable.
    void save() throws IOException {
        long last;
        counting.lock();
        try {
            last = changes;
        } finally {
            counting.unlock();
        }
        save(last);
    }

    private void turnThePage() {
        var now = month(clock);
        if (now.isAfter(month)) {
            month = now;
            used.clear();
            changes++;
        }
    }

    /// A caller that waits here while another writes finds its own change written too.
    private void save(long change) throws IOException {
        if (file == null) {
            return;
        }
        saving.lock();
        try {
            if (saved >= change) {
                return;
            }
            long upTo;
            QuotaFile.Used copy;
            counting.lock();
            try {
                upTo = changes;
                copy = new QuotaFile.Used(month, new LinkedHashMap<>(used));
            } finally {
                counting.unlock();
            }
            file.write(copy);
            saved = upTo;
        } finally {
            saving.unlock();
        }
    }
}
