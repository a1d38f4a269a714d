package dev.artel.server.logs;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.artel.config.LogSettings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

final class LibraryLinesTest {
    private final AtomicLong now = new AtomicLong(7);
    private final LoggerContext context = new LoggerContext();
    private final ListAppender<ILoggingEvent> written = new ListAppender<>();
    private final Logger library = context.getLogger("org.eclipse.jetty.http.HttpParser");

    @BeforeEach
    void log() {
        var lines = new LibraryLines(List.of("org.eclipse.jetty", "zmq"), now::get);
        lines.setContext(context);
        context.addTurboFilter(lines);
        written.setContext(context);
        written.start();
        context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(written);
    }

    private List<String> texts() {
        return written.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    /// Trap: a library warns at each odd request, and strangers fill the disk with its lines.
    @Test
    void linesOfALibraryBeyondItsBound_areCounted_andTheNumberIsWrittenLater() {
        for (var i = 0; i < LibraryLines.MOST + 1_000; i++) {
            library.warn("odd request {}", i);
        }

        assertThat(texts())
                .hasSize(LibraryLines.MOST + 1)
                .last()
                .asString()
                .contains("org.eclipse.jetty writes more than 60 lines in a minute");

        now.addAndGet(Duration.ofMinutes(1).toNanos());
        library.warn("one more");

        assertThat(texts())
                .hasSize(LibraryLines.MOST + 3)
                .endsWith(
                        "1000 lines of org.eclipse.jetty were left out, as it wrote more than 60 in"
                                + " a minute",
                        "one more");
    }

    /// Trap: the bound is there, and the log of the program does not know it.
    @Test
    void theLogOfTheProgram_boundsEachLibrary_andHasItAtWarnAtEveryLevel() {
        var program = new LoggerContext();
        ProgramLog.write(program, LogSettings.Format.TEXT, org.slf4j.event.Level.TRACE);
        var root = program.getLogger(Logger.ROOT_LOGGER_NAME);
        root.detachAndStopAllAppenders();
        root.addAppender(written);
        for (var name :
                List.of("org.eclipse.jetty.http.HttpParser", "zmq.Socket", "com.rabbitmq.A")) {
            written.list.clear();
            var log = program.getLogger(name);
            for (var i = 0; i < 500; i++) {
                log.info("a request with a token");
                log.warn("odd request");
            }

            assertThat(texts())
                    .as(name)
                    .hasSize(LibraryLines.MOST + 1)
                    .doesNotContain("a request with a token");
        }
    }

    @Test
    void linesOfOthers_areAllWritten() {
        var own = context.getLogger("dev.artel.server.Something");
        var blueprint = context.getLogger("org.eclipse.jettyfish");
        for (var i = 0; i < 500; i++) {
            own.warn("own");
            blueprint.error("of a blueprint");
        }
        context.getLogger("zmq.Socket").warn("another library");

        assertThat(texts()).hasSize(1_001).endsWith("another library");
    }

    @Test
    void aQuestionForTheLevel_countsForNothing() {
        for (var i = 0; i < 500; i++) {
            assertThat(library.isWarnEnabled()).isTrue();
        }
        context.getLogger("org.eclipse.jetty").setLevel(Level.WARN);
        library.info("not written");
        library.warn("written");

        assertThat(texts()).containsExactly("written");
    }
}
