package dev.artel.engine.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.job.JobId;
import dev.artel.waits.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(Await.HUNG)
final class MailboxTest {
    private static final int SENDERS = 8;
    private static final int EACH = 5_000;

    @Test
    void aSenderThatMayRun_hasDoneItsMessage_whenTheCallReturns() {
        var threads = new ArrayList<Thread>();
        var mailbox = new Mailbox<String>("test", _ -> threads.add(Thread.currentThread()));

        mailbox.putAndRun("a");

        assertThat(threads).containsExactly(Thread.currentThread());
    }

    /// Trap: an error ends the thread that runs the mailbox, which stays claimed, and nothing that is put into it is ever done.
    @Test
    void anError_isReported_andTheMailboxIsNotClaimedForever() {
        var reports = new ArrayList<String>();
        var done = new ArrayList<String>();
        var vitals = new Vitals(new RecordingSupervision(reports), Duration.ofMinutes(1));
        var mailbox =
                new Mailbox<String>(
                        "artel-test",
                        message -> {
                            if (message.equals("bad")) {
                                throw new StackOverflowError("a bug");
                            }
                            done.add(message);
                        },
                        vitals,
                        message -> List.of(new JobId(message)));

        mailbox.putAndRun("bad");
        mailbox.putAndRun("good");

        assertThat(reports).containsExactly("artel-test java.lang.StackOverflowError: a bug [bad]");
        assertThat(done).containsExactly("good");
    }

    /// Trap: a part hangs, nothing goes on, and nobody knows which part it is.
    @Test
    void aPartThatIsAtOneThingForTooLong_isNamedWithItsStack() {
        var goOn = new CountDownLatch(1);
        try (var vitals = new Vitals(Supervision.LOG_ONLY, Duration.ofMillis(50))) {
            var mailbox =
                    new Mailbox<String>("artel-test", _ -> hang(goOn), vitals, _ -> List.of());
            vitals.start();
            mailbox.put("a");

            Await.await()
                    .untilAsserted(() ->
                            assertThat(vitals.stuck())
                                    .filteredOn(part -> part.part().equals("artel-test"))
                                    .singleElement()
                                    .satisfies(part ->
                                            assertThat(part.text()).contains("MailboxTest.hang")));
            goOn.countDown();
            Await.await()
                    .untilAsserted(() ->
                            assertThat(vitals.stuck())
                                    .noneMatch(part -> part.part().equals("artel-test")));
        } finally {
            goOn.countDown();
        }
    }

    private static void hang(CountDownLatch goOn) {
        try {
            assertThat(goOn.await(Await.seconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aReceiverThatSendsToItself_isNotEnteredTwice() {
        var done = new ArrayList<String>();
        var depth = new AtomicInteger();
        var deepest = new AtomicInteger();
        var self = new ArrayList<Mailbox<String>>();
        var mailbox =
                new Mailbox<String>(
                        "test",
                        message -> {
                            deepest.accumulateAndGet(depth.incrementAndGet(), Math::max);
                            done.add(message);
                            if (message.length() < 5) {
                                self.getFirst().putAndRun(message + message.charAt(0));
                            }
                            depth.decrementAndGet();
                        });
        self.add(mailbox);

        mailbox.putAndRun("a");

        assertThat(done).containsExactly("a", "aa", "aaa", "aaaa", "aaaaa");
        assertThat(deepest).hasValue(1);
    }

    @Test
    void aSenderWithAnEndlessNeighbour_isLetGo_andAnotherThreadGoesOn() {
        var received = new AtomicInteger();
        var others = Collections.synchronizedSet(new HashSet<Thread>());
        var self = new ArrayList<Mailbox<Integer>>();
        var mailbox =
                new Mailbox<Integer>(
                        "test",
                        left -> {
                            received.incrementAndGet();
                            others.add(Thread.currentThread());
                            if (left > 0) {
                                self.getFirst().put(left - 1);
                            }
                        });
        self.add(mailbox);

        mailbox.putAndRun(1_000);

        Await.await().until(() -> received.get() == 1_001);
        assertThat(others).hasSizeGreaterThan(1);
    }

    @Test
    void messagesOfManySenders_areAllTaken_oneAtATime_eachSenderInItsOrder() throws Exception {
        var taken = new ConcurrentLinkedQueue<int[]>();
        var inside = new AtomicInteger();
        var collisions = new AtomicInteger();
        var mailbox =
                new Mailbox<int[]>(
                        "test",
                        message -> {
                            if (inside.incrementAndGet() != 1) {
                                collisions.incrementAndGet();
                            }
                            taken.add(message);
                            inside.decrementAndGet();
                        });
        var start = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var senders = new ArrayList<Future<?>>();
            for (var i = 0; i < SENDERS; i++) {
                var sender = i;
                senders.add(
                        threads.submit(() -> {
                            start.await();
                            for (var n = 0; n < EACH; n++) {
                                var message = new int[] {sender, n};
                                if (n % 2 == 0) {
                                    mailbox.put(message);
                                } else {
                                    mailbox.putAndRun(message);
                                }
                            }
                            return null;
                        }));
            }
            start.countDown();
            for (var sender : senders) {
                sender.get(Await.seconds(), TimeUnit.SECONDS);
            }
        }

        Await.await().until(() -> taken.size() == SENDERS * EACH);
        assertThat(collisions).hasValue(0);
        for (var i = 0; i < SENDERS; i++) {
            var sender = i;
            List<Integer> order =
                    taken.stream().filter(m -> m[0] == sender).map(m -> m[1]).toList();
            assertThat(order).as("messages of sender %s", sender).isSorted().hasSize(EACH);
        }
    }

    @Test
    void aMessageThatFails_takesNoOtherAlong() {
        var done = new ArrayList<String>();
        var mailbox =
                new Mailbox<String>(
                        "test",
                        message -> {
                            if (message.equals("bad")) {
                                throw new IllegalStateException("planted by the test");
                            }
                            done.add(message);
                        });

        mailbox.putAndRun("bad");
        mailbox.putAndRun("good");

        assertThat(done).containsExactly("good");
    }
}
