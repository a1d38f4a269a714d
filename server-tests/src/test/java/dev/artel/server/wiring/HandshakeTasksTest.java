package dev.artel.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.Test;

final class HandshakeTasksTest {
    @Test
    void tasks_runOnAFewPlatformThreadsOfLowPriority_whateverTheNumberThatWaits() throws Exception {
        var tasks = new HandshakeTasks(2);
        var threads = new ArrayList<Thread>();
        var atOnce = new AtomicInteger();
        var most = new AtomicInteger();
        var begun = new CountDownLatch(2);
        var end = new Semaphore(0);
        try (var waiting = Executors.newVirtualThreadPerTaskExecutor()) {
            var all = new ArrayList<Future<?>>();
            for (var count = 0; count < 8; count++) {
                all.add(
                        waiting.submit(() ->
                                tasks.run(
                                        () -> {
                                            most.accumulateAndGet(
                                                    atOnce.incrementAndGet(), Math::max);
                                            synchronized (threads) {
                                                threads.add(Thread.currentThread());
                                            }
                                            begun.countDown();
                                            end.acquireUninterruptibly();
                                            atOnce.decrementAndGet();
                                        },
                                        () -> false)));
            }
            begun.await();
            end.release(8);
            for (var one : all) {
                one.get();
            }
        }

        assertThat(most).hasValue(2);
        assertThat(threads).hasSize(8);
        assertThat(threads)
                .allMatch(thread ->
                        !thread.isVirtual() && thread.getPriority() == HandshakeTasks.PRIORITY);
    }

    @Test
    void aTaskWhoseConnectionIsGone_isNotComputed() {
        var tasks = new HandshakeTasks(1);
        var computed = new AtomicInteger();

        assertThatThrownBy(() -> tasks.run(computed::incrementAndGet, () -> true))
                .isInstanceOf(CancellationException.class);
        assertThat(computed).hasValue(0);

        tasks.run(computed::incrementAndGet, () -> false);
        assertThat(computed).hasValue(1);
    }

    @Test
    void aTaskThatFails_failsForTheOneWhoWaits() {
        var tasks = new HandshakeTasks(1);

        assertThatThrownBy(() ->
                        tasks.run(
                                () -> {
                                    throw new IllegalStateException("no key");
                                },
                                () -> false))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no key");
    }

    /// Trap: a method with a body in the class above, such as the one for the names of protocols, is not that of the engine behind.
    @Test
    void anEngineWhoseTasksOthersRun_leavesEachMethodToTheEngineBehindIt() {
        assertThat(
                        Arrays.stream(SSLEngine.class.getDeclaredMethods())
                                .filter(method -> Modifier.isPublic(method.getModifiers()))
                                .filter(method -> !isOverridden(method)))
                .isEmpty();
    }

    private static boolean isOverridden(Method method) {
        return Arrays.stream(TaskingEngine.class.getDeclaredMethods())
                .anyMatch(own ->
                        own.getName().equals(method.getName())
                                && Arrays.equals(
                                        own.getParameterTypes(), method.getParameterTypes()));
    }
}
