package dev.artel.store.sqlite;

import dev.artel.json.text.FairShares;
import dev.artel.kernel.store.JobLogs;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Queue;
import java.util.SequencedMap;

/// Lines of logs between the threads that log them and the one that writes them. Bounded by entries and by bytes, those that are being
/// written included; a worker has half of what the others leave. What has no room is dropped, and a line in its place states how much that was. Safe for use by many
/// threads; one of them writes.
final class LogQueue {
    /// So many bytes of lines are held, about.
    static final long BYTES = 16L << 20;

    private static final int ENTRIES = 10_000;
    private static final int AT_ONCE = 1_000;

    /// Of so many attempts it is known how much was dropped.
    private static final int ATTEMPTS = 1_000;

    /// What a line takes beside its text.
    private static final int LINE = 64;

    /// What each worker has of the bytes, and of the entries.
    private final FairShares bytes;

    private final FairShares entries = new FairShares(ENTRIES);
    private final Queue<LogWriter.Entry> waiting = new ArrayDeque<>();
    private final SequencedMap<JobLogs.Attempt, Dropped> dropped = new LinkedHashMap<>();

    /// What was dropped of an attempt since its last line was taken.
    ///
    /// @param at when the last of it was logged
    private record Dropped(String sender, long lines, long bytes, Instant at) {
        JobLogs.Line line() {
            return new JobLogs.Line(
                    at,
                    "warn",
                    lines
                            + " lines (about "
                            + bytes
                            + " bytes) were dropped here: they came faster than they could be"
                            + " written");
        }
    }

    /// @param mostBytes so many bytes are held at most
    LogQueue(long mostBytes) {
        this.bytes = new FairShares(mostBytes);
    }

    /// Takes `lines` in, behind those that it has.
    ///
    /// @param sender the worker that has sent them; empty: none has
    /// @return whether there was room; if not, nothing was taken
    synchronized boolean offer(String sender, JobLogs.Attempt attempt, List<JobLogs.Line> lines) {
        var size = size(lines);
        if (!entries.hasRoom(sender, 1) || !bytes.hasRoom(sender, size)) {
            drop(sender, attempt, lines, size);
            return false;
        }
        var all = new ArrayList<JobLogs.Line>();
        var before = dropped.remove(attempt);
        if (before != null) {
            all.add(before.line());
        }
        all.addAll(lines);
        add(new LogWriter.Entry(sender, attempt, List.copyOf(all)));
        return true;
    }

    private void add(LogWriter.Entry entry) {
        waiting.add(entry);
        entries.take(entry.sender(), 1);
        bytes.take(entry.sender(), size(entry.lines()));
    }

    private void drop(String sender, JobLogs.Attempt attempt, List<JobLogs.Line> lines, long size) {
        var before = dropped.get(attempt);
        if (before == null && dropped.size() >= ATTEMPTS) {
            return;
        }
        var at = lines.getLast().at();
        dropped.put(
                attempt,
                before == null
                        ? new Dropped(sender, lines.size(), size, at)
                        : new Dropped(
                                sender, before.lines() + lines.size(), before.bytes() + size, at));
    }

    /// Some of what waits, oldest first; none if nothing waits. It has room until [#written].
    synchronized List<LogWriter.Entry> take() {
        var some = new ArrayList<LogWriter.Entry>();
        while (some.size() < AT_ONCE && !waiting.isEmpty()) {
            some.add(waiting.remove());
        }
        if (some.isEmpty()) {
            dropped.forEach((attempt, what) ->
                    add(new LogWriter.Entry(what.sender(), attempt, List.of(what.line()))));
            dropped.clear();
            some.addAll(waiting);
            waiting.clear();
        }
        return some;
    }

    /// Gives the room of `some` back, which were taken.
    synchronized void written(List<LogWriter.Entry> some) {
        for (var entry : some) {
            entries.free(entry.sender(), 1);
            bytes.free(entry.sender(), size(entry.lines()));
        }
    }

    /// About.
    private static long size(List<JobLogs.Line> lines) {
        return lines.stream()
                .mapToLong(line -> LINE + 2L * (line.message().length() + line.level().length()))
                .sum();
    }
}
