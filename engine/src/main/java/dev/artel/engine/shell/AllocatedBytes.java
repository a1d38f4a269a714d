package dev.artel.engine.shell;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/// How many bytes threads of the platform have allocated since they exist, whether or not they still have them. Safe for use by many
/// threads.
final class AllocatedBytes {
    /// Null until [#begin]: to get it costs a start a few dozen milliseconds.
    private volatile @Nullable ThreadMXBean counting;

    /// From now on they are known.
    void begin() {
        if (counting == null) {
            counting = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        }
    }

    /// 0 as long as it is not known, or if `thread` has ended.
    long of(Thread thread) {
        var known = counting;
        return known == null ? 0 : Math.max(0, known.getThreadAllocatedBytes(thread.threadId()));
    }
}
