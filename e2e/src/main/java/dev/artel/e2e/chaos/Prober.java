package dev.artel.e2e.chaos;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Asks the orchestrator whether it lives. One that has been up for a while, and is not stopped, has to answer.
final class Prober implements Runnable {
    /// So long after a start or a stop nothing is expected.
    private static final Duration SETTLED = Duration.ofSeconds(20);

    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final Supervised orchestrator;
    private final Api api;
    private final Findings findings;
    private final Load.Going going;

    Prober(Supervised orchestrator, Api api, Findings findings, Load.Going going) {
        this.orchestrator = orchestrator;
        this.api = api;
        this.findings = findings;
        this.going = going;
    }

    @Override
    public void run() {
        try {
            while (going.isGoing()) {
                var settled = orchestrator.isUpSince(SETTLED);
                var began = System.nanoTime();
                var reply = api.get("/healthz");
                var millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
                // Whatever stopped it meanwhile began after the question.
                var undisturbed = settled && orchestrator.isUpSince(SETTLED.plus(LIMIT));
                if (undisturbed && reply.isEmpty() && millis > LIMIT.toMillis()) {
                    findings.add(
                            "/healthz was not answered for more than " + LIMIT.toSeconds() + " s");
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
