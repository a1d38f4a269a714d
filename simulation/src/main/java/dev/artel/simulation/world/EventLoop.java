package dev.artel.simulation.world;

import java.util.PriorityQueue;
import java.util.SplittableRandom;

/// What is to happen, in the order of virtual time; what is due at the same moment happens in random order.
public final class EventLoop {
    private final SplittableRandom random;
    private final PriorityQueue<Entry> entries = new PriorityQueue<>(256);
    private long now;
    private long steps;
    private long last;

    EventLoop(SplittableRandom random) {
        this.random = random;
    }

    private record Entry(long at, int tie, long number, Runnable act) implements Comparable<Entry> {
        @Override
        public int compareTo(Entry other) {
            if (at != other.at) {
                return at < other.at ? -1 : 1;
            }
            if (tie != other.tie) {
                return tie < other.tie ? -1 : 1;
            }
            return Long.compare(number, other.number);
        }
    }

    /// Milliseconds since the beginning.
    public long now() {
        return now;
    }

    public long steps() {
        return steps;
    }

    public void after(long millis, Runnable act) {
        at(now + millis, act);
    }

    public void at(long time, Runnable act) {
        entries.add(new Entry(Math.max(time, now), random.nextInt(), last++, act));
    }

    /// Does the next thing.
    ///
    /// @return false if there is none
    public boolean step() {
        var next = entries.poll();
        if (next == null) {
            return false;
        }
        now = next.at();
        steps++;
        next.act().run();
        return true;
    }
}
