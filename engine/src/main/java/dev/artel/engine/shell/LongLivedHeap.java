package dev.artel.engine.shell;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.Locale;
import java.util.Optional;

/// The part of the heap of this process that has what lives long, as its last collection found it: the JVM collects it when it is full. Safe for use by many threads.
public final class LongLivedHeap {
    /// In percent.
    private static final int SHORT = 75;

    private static final LongLivedHeap OF_PROCESS = new LongLivedHeap();

    private final Optional<MemoryPoolMXBean> old =
            ManagementFactory.getMemoryPoolMXBeans().stream()
                    .filter(pool -> pool.getType() == MemoryType.HEAP)
                    .filter(LongLivedHeap::isOfWhatLivesLong)
                    .findFirst();

    private LongLivedHeap() {}

    /// That of this process.
    public static LongLivedHeap ofProcess() {
        return OF_PROCESS;
    }

    /// As the collectors of the JDK name it.
    private static boolean isOfWhatLivesLong(MemoryPoolMXBean pool) {
        var name = pool.getName().toLowerCase(Locale.ROOT);
        return name.contains("old") || name.contains("tenured");
    }

    /// How many bytes were in use after the last collection; 0 before the first.
    public long used() {
        return old.map(MemoryPoolMXBean::getCollectionUsage).map(MemoryUsage::getUsed).orElse(0L);
    }

    /// How many bytes there are at most.
    public long most() {
        return old.map(pool -> pool.getUsage().getMax())
                .filter(most -> most > 0)
                .orElseGet(Runtime.getRuntime()::maxMemory);
    }

    /// Whether the last collection found most of it in use.
    public boolean isShort() {
        return isShort(used(), most());
    }

    static boolean isShort(long used, long most) {
        return used > most / 100 * SHORT;
    }
}
