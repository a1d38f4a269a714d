package dev.artel.server.wiring;

import dev.artel.access.AccessControl;
import dev.artel.tokens.TokenRegisterFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes up what `token add` and `token revoke` write, within [#PAUSE], and reports what it has taken up.
final class TokenWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TokenWatch.class);
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final TokenRegisterFile file;
    private final AccessControl accessControl;
    private final HttpRequestLog httpRequestLog;
    private final Runnable changed;
    private final InstantSource clock;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;
    private String seen;
    private Instant looked;

    /// @param changed is run when a token is good no longer, and when others are
    private TokenWatch(
            TokenRegisterFile file,
            AccessControl accessControl,
            HttpRequestLog httpRequestLog,
            Runnable changed,
            InstantSource clock) {
        this.file = file;
        this.accessControl = accessControl;
        this.httpRequestLog = httpRequestLog;
        this.changed = changed;
        this.clock = clock;
        this.looked = clock.instant();
        this.seen = "";
        this.thread = Thread.ofPlatform().daemon().name("artel-tokens").unstarted(this::run);
    }

    /// Looks at the register of the data folder `folder`, which `access` has read already, from now on.
    static TokenWatch start(
            Path folder,
            AccessControl accessControl,
            HttpRequestLog httpRequestLog,
            Runnable changed,
            InstantSource clock) {
        var watch =
                new TokenWatch(
                        new TokenRegisterFile(folder),
                        accessControl,
                        httpRequestLog,
                        changed,
                        clock);
        watch.taken();
        watch.thread.start();
        return watch;
    }

    private void run() {
        try {
            while (!closed.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
                look();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        try {
            var stamp = file.stamp();
            var now = clock.instant();
            var isNew = !stamp.equals(seen);
            seen = stamp;
            var before = accessControl.tokens().revision();
            if (isNew && accessControl.reloadTokens() instanceof AccessControl.Reload.Done) {
                if (accessControl.tokens().revision() != before) {
                    changed.run();
                }
                taken();
            } else if (accessControl.hasEnded(looked, now)) {
                changed.run();
            }
            looked = now;
        } catch (IOException | RuntimeException failed) {
            LOG.atError()
                    .setCause(failed)
                    .log("the register of tokens could not be checked; retrying");
        }
    }

    /// Writes to the audit what is in force and was not when it was written last.
    private void taken() {
        try {
            var register = accessControl.tokens();
            var before = file.taken();
            for (var change : register.changes()) {
                if (change.revision() > before) {
                    httpRequestLog.done(
                            change.by() + " on this machine",
                            change.act(),
                            change.detail() + ", at " + change.at());
                }
            }
            if (register.revision() != before) {
                file.take(register.revision());
            }
        } catch (IOException failed) {
            LOG.atError()
                    .setCause(failed)
                    .log(
                            "cannot write which tokens are in force; token add and revoke will report it");
        }
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join(Duration.ofSeconds(5));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
