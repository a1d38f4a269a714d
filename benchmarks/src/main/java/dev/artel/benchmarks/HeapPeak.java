package dev.artel.benchmarks;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

/// How much of the heap is in use right after collections, at most.
final class HeapPeak {
    private final AtomicLong peak = new AtomicLong();

    HeapPeak() {
        for (var collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (collector instanceof NotificationEmitter emitter) {
                emitter.addNotificationListener(
                        (notification, _) -> {
                            if (notification.getUserData() instanceof CompositeData details) {
                                var info =
                                        GarbageCollectionNotificationInfo.from(details).getGcInfo();
                                see(
                                        info.getMemoryUsageAfterGc().values().stream()
                                                .mapToLong(MemoryUsage::getUsed)
                                                .sum());
                            }
                        },
                        null,
                        null);
            }
        }
    }

    private void see(long used) {
        peak.accumulateAndGet(used, Math::max);
    }

    /// Collects, forgets the peak, and gives what is in use now.
    long reset() {
        System.gc();
        var used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        peak.set(used);
        return used;
    }

    long peak() {
        return peak.get();
    }
}
