package dev.artel.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/// Fails each test in which a job is taken for stuck, no matter how the test has started the orchestrator: those of
/// [TestNodes] look five times a second. Tests in which jobs are stuck on purpose have the tag [#ON_PURPOSE].
/// Registered for all.
public final class NothingStuck implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {
    public static final String ON_PURPOSE = "stuck-on-purpose";

    private static final ConcurrentLinkedQueue<String> FINDINGS = new ConcurrentLinkedQueue<>();
    private static final String WATCH = "dev.artel.engine.shell.StallScanner";

    /// What was found since the last test ended.
    public static List<String> findings() {
        return List.copyOf(FINDINGS);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        if (LoggerFactory.getLogger(WATCH) instanceof Logger watch
                && watch.getAppender(ON_PURPOSE) == null) {
            var findings =
                    new AppenderBase<ILoggingEvent>() {
                        @Override
                        protected void append(ILoggingEvent event) {
                            FINDINGS.add(event.getMessage() + " " + event.getKeyValuePairs());
                        }
                    };
            findings.setName(ON_PURPOSE);
            findings.start();
            watch.addAppender(findings);
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        check(context);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        check(context);
    }

    private static void check(ExtensionContext context) {
        List<String> found = new ArrayList<>();
        for (var next = FINDINGS.poll(); next != null; next = FINDINGS.poll()) {
            found.add(next);
        }
        if (!context.getTags().contains(ON_PURPOSE)) {
            assertThat(found).as("what the watch over stuck jobs has found").isEmpty();
        }
    }
}
