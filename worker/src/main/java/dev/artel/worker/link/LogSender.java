package dev.artel.worker.link;

import dev.artel.json.text.JsonText;
import dev.artel.protocol.TaskLog;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sends the lines that handlers log to the orchestrator: gathered for a moment, in order, and before the outcome.
/// What cannot be sent soon is lost, so that it costs the tasks nothing.
final class LogSender implements Loop {
    private static final Logger LOG = LoggerFactory.getLogger(LogSender.class);
    private static final Duration JOIN = Duration.ofMillis(500);
    private static final Duration LAST = Duration.ofSeconds(2);
    private static final int LINES = TaskLog.MAX_LINES;
    private static final int LONGEST = 4096;

    private final OrchestratorClient orchestratorClient;
    private final LinkSettings settings;
    private final RegistrationState registration;
    private final String workerId;
    private final ConcurrentHashMap<String, Page> pages = new ConcurrentHashMap<>();

    /// Held while a thread sends, so that lines arrive in their order.
    private final ReentrantLock sending = new ReentrantLock();

    private final Wakeup wakeup = new Wakeup();

    LogSender(
            OrchestratorClient orchestratorClient,
            String workerId,
            LinkSettings settings,
            RegistrationState registration) {
        this.orchestratorClient = orchestratorClient;
        this.workerId = workerId;
        this.settings = settings;
        this.registration = registration;
    }

    /// The lines of one hand-out that are not sent yet.
    private static final class Page {
        final String taskId;
        final @Nullable String leaseToken;
        private final Deque<TaskLog.Line> lines = new ArrayDeque<>();

        Page(String taskId, @Nullable String leaseToken) {
            this.taskId = taskId;
            this.leaseToken = leaseToken;
        }

        synchronized void add(TaskLog.Line line) {
            lines.add(line);
            if (lines.size() > LINES) {
                lines.remove();
            }
        }

        synchronized List<TaskLog.Line> take() {
            var taken = List.copyOf(lines);
            lines.clear();
            return taken;
        }
    }

    void note(String taskId, @Nullable String leaseToken, TaskLog.Line line) {
        var message = line.message();
        var kept =
                message.length() <= LONGEST
                        ? line
                        : new TaskLog.Line(line.at(), line.level(), message.substring(0, LONGEST));
        pages.compute(
                taskId,
                (_, present) -> {
                    var page = present == null ? new Page(taskId, leaseToken) : present;
                    page.add(kept);
                    return page;
                });
        wakeup.raise();
    }

    /// Sends the lines of a hand-out whose outcome is known.
    void finish(String taskId) throws InterruptedException {
        if (registration.protocolVersion() == ProtocolVersion.PLAIN) {
            pages.remove(taskId);
        } else if (sending.tryLock(LAST.toMillis(), TimeUnit.MILLISECONDS)) {
            try {
                send(taskId, LAST);
            } finally {
                sending.unlock();
            }
        }
    }

    @Override
    public void turn() throws InterruptedException {
        registration.awaitFirst();
        if (registration.protocolVersion() == ProtocolVersion.PLAIN) {
            pages.clear();
            wakeup.await(settings.heartbeat());
            return;
        }
        if (wakeup.await(settings.heartbeat())) {
            Thread.sleep(JOIN);
            for (var taskId : List.copyOf(pages.keySet())) {
                sending.lock();
                try {
                    send(taskId, settings.request());
                } finally {
                    sending.unlock();
                }
            }
        }
    }

    private void send(String taskId, Duration longest) throws InterruptedException {
        var page = pages.remove(taskId);
        if (page == null || !registration.isKnown()) {
            return;
        }
        var lines = page.take();
        var log = new TaskLog(workerId, page.taskId, page.leaseToken, lines);
        try {
            var orchestratorResponse =
                    orchestratorClient.log(page.taskId, JsonText.write(log.toJson()), longest);
            if (orchestratorResponse.status() != 200) {
                lost(lines, orchestratorResponse.text());
            }
        } catch (IOException | IllegalArgumentException e) {
            lost(lines, e.toString());
        }
    }

    private void lost(List<TaskLog.Line> lines, @Nullable String cause) {
        LOG.atDebug()
                .addKeyValue("orchestrator", orchestratorClient)
                .addKeyValue("lines", lines.size())
                .addKeyValue("cause", cause)
                .log("lines of a task's log are lost");
    }
}
