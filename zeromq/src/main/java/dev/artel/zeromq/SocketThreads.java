package dev.artel.zeromq;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.zeromq.ZContext;

/// Makes the threads that hand messages to each other over ZeroMQ let the sender finish.
///
/// JeroMQ wakes a thread by a byte in a pipe, and counts the byte when it has been written. Linux moves the reader to the processor of the
/// writer and runs it at once; it finds the byte and not the count, and turns in a circle until the scheduler returns to the writer:
/// 4 ms at 250 Hz, for each message of a busy machine. Threads of the policy `SCHED_BATCH` do not preempt the one that
/// wakes them. It is set where this process may call native code (`--enable-native-access=ALL-UNNAMED`), on Linux; elsewhere threads
/// stay as they are.
///
/// Source: sched(7).
public final class SocketThreads {
    private static final Logger LOG = LoggerFactory.getLogger(SocketThreads.class);
    private static final int SCHED_BATCH = 3;
    private static final int THIS_THREAD = 0;

    private SocketThreads() {}

    /// A context with one thread for its connections.
    public static ZContext context() {
        var context = new ZContext(1);
        context.setThreadFactor((work, name) -> {
            var thread = new Thread(() -> run(work), name);
            thread.setDaemon(true);
            return thread;
        });
        return context;
    }

    /// Runs `work` in this thread, which preempts none that wakes it.
    public static void run(Runnable work) {
        var result = preemptNone();
        if (result != 0) {
            LOG.atDebug()
                    .addKeyValue("thread", Thread.currentThread().getName())
                    .addKeyValue("result", result)
                    .log("the thread of the sockets keeps its scheduling policy");
        }
        work.run();
    }

    /// Sets the policy of this thread.
    ///
    /// @return 0 if it is set
    static int preemptNone() {
        if (!isPossible()) {
            return -1;
        }
        try (var arena = Arena.ofConfined()) {
            // struct sched_param { int sched_priority; }, which is 0 for all but real-time
            // policies.
            var priority = arena.allocate(ValueLayout.JAVA_INT);
            return (int) SetScheduler.HANDLE.invokeExact(THIS_THREAD, SCHED_BATCH, priority);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable impossible) {
            throw new IllegalStateException("a native function throws nothing", impossible);
        }
    }

    /// Whether this process may set the policy of its threads.
    static boolean isPossible() {
        return SocketThreads.class.getModule().isNativeAccessEnabled()
                && System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("linux");
    }

    private static final class SetScheduler {
        private static final MethodHandle HANDLE = handle();

        @SuppressWarnings("restricted")
        private static MethodHandle handle() {
            var linker = Linker.nativeLinker();
            return linker.downcallHandle(
                    linker.defaultLookup().findOrThrow("sched_setscheduler"),
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_INT,
                            ValueLayout.ADDRESS));
        }
    }
}
