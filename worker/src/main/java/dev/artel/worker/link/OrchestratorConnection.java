package dev.artel.worker.link;

import dev.artel.json.text.JsonText;
import dev.artel.protocol.AskQuestion;
import dev.artel.protocol.Progress;
import dev.artel.protocol.Release;
import dev.artel.protocol.TaskLog;
import dev.artel.protocol.TaskResult;
import dev.artel.protocol.ValueRef;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The conversation with one orchestrator, on threads of its own. Safe for use by many threads.
public final class OrchestratorConnection implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OrchestratorConnection.class);
    private static final Duration FAREWELL = Duration.ofSeconds(1);

    private final String workerId;
    private final OrchestratorClient orchestratorClient;
    private final ConnectionCallbacks connectionCallbacks;
    private final RegistrationState registration;
    private final Wakeup availabilityChanged = new Wakeup();
    private final PendingResults outbox;
    private final HeartbeatLoop heartbeatLoop;
    private final PayloadTransfer payloadTransfer;
    private final Questions questions;
    private final Poller poller;
    private final ResultSender resultSender;
    private final Renewals renewals;
    private final LogSender logSender;
    private final @Nullable Socket socket;
    private final List<Thread> threads = new ArrayList<>();

    /// A link that does nothing before [#start].
    ///
    /// @param unconfirmed the most results that wait for their confirmation
    /// @param directory where they survive this process; null for in memory alone
    public OrchestratorConnection(
            Orchestrator orchestrator,
            String workerId,
            LinkSettings settings,
            ConnectionCallbacks connectionCallbacks,
            int unconfirmed,
            @Nullable Path directory) {
        this.workerId = workerId;
        this.connectionCallbacks = connectionCallbacks;
        orchestratorClient = new OrchestratorClient(orchestrator, workerId);
        questions = new Questions(orchestratorClient, settings.backoff());
        payloadTransfer = new PayloadTransfer(orchestratorClient, settings.backoff());
        registration = new RegistrationState(availabilityChanged, settings.lease());
        outbox =
                new PendingResults(
                        unconfirmed, directory == null ? null : new PendingResultFiles(directory));
        heartbeatLoop =
                new HeartbeatLoop(
                        orchestratorClient,
                        connectionCallbacks,
                        settings,
                        registration,
                        availabilityChanged,
                        this::held,
                        this::cancel);
        poller =
                new Poller(
                        this,
                        orchestratorClient,
                        connectionCallbacks,
                        settings,
                        registration,
                        outbox);
        resultSender =
                new ResultSender(orchestratorClient, workerId, settings, registration, outbox);
        renewals =
                new Renewals(
                        this,
                        orchestratorClient,
                        connectionCallbacks,
                        settings,
                        registration,
                        this::held);
        logSender = new LogSender(orchestratorClient, workerId, settings, registration);
        socket =
                settings.websocket()
                        ? new Socket(
                                orchestratorClient.socket(), settings, registration, this::cancel)
                        : null;
    }

    /// Begins to register, poll and so on.
    public void start() {
        var name = "artel-" + workerId + "-";
        threads.add(heartbeatLoop.start(name + "presence"));
        threads.add(poller.start(name + "poll"));
        threads.add(resultSender.start(name + "delivery"));
        threads.add(renewals.start(name + "renewals"));
        threads.add(logSender.start(name + "log"));
        if (socket != null) {
            threads.add(socket.start(name + "socket"));
        }
    }

    /// Sends an outcome, now or when the orchestrator is back. Waits only while too many are unconfirmed.
    public void report(TaskResult result) throws InterruptedException {
        logSender.finish(result.taskId());
        outbox.put(result);
    }

    /// Sends an outcome like [#report], but goes over the limit rather than wait.
    public void reportAtOnce(TaskResult result) {
        outbox.putAnyway(PendingResult.of(result));
    }

    /// Fetches a large value into `file`.
    ///
    /// @throws IOException if it does not come, or is not what it should be
    public void fetch(ValueRef value, Path file) throws IOException, InterruptedException {
        payloadTransfer.fetch(value, file);
    }

    /// Puts the JSON text in `file` to `url`.
    ///
    /// @throws IOException if it is not taken
    public ValueRef put(String url, Path file) throws IOException, InterruptedException {
        return payloadTransfer.put(url, file);
    }

    /// Asks people something and waits for the answer.
    ///
    /// @throws UnsupportedOperationException if the orchestrator takes no questions
    /// @throws IllegalStateException if it does not take this one
    /// @throws InterruptedException also if the attempt is over
    public String ask(AskQuestion question) throws InterruptedException {
        return questions.ask(question);
    }

    /// Logs a line about a task, for people, soon.
    public void log(String taskId, @Nullable String leaseToken, TaskLog.Line line) {
        logSender.note(taskId, leaseToken, line);
    }

    /// Reports progress, if the connection allows it.
    public void report(Progress progress) {
        if (socket == null || !socket.send(progress)) {
            renewals.note(progress);
        }
    }

    /// The worker stands otherwise than before: types that it takes, what it has loaded.
    public void availabilityChanged() {
        availabilityChanged.raise();
    }

    /// A task came with a shorter lease than was granted.
    void shortened(Duration lease) {
        if (lease.compareTo(registration.lease()) < 0) {
            registration.shorten(lease);
            renewals.hurry();
        }
    }

    /// Asks for no more work. The poll in flight may still bring some.
    public void stopPolling() {
        poller.stop();
        availabilityChanged.raise();
        if (isLeased()) {
            politely("drain", () -> orchestratorClient.drain(FAREWELL));
        }
    }

    /// Waits for the end of the poll in flight.
    ///
    /// @return whether it has ended
    public boolean awaitLastPoll(Duration longest) throws InterruptedException {
        return poller.awaitEnd(longest);
    }

    /// Waits until every outcome is confirmed.
    ///
    /// @return how many are not
    public int awaitDelivery(Duration longest) throws InterruptedException {
        return outbox.awaitEmpty(longest);
    }

    /// Whether the orchestrator takes back what was not begun.
    public boolean takesReleases() {
        return isLeased();
    }

    /// Gives back a task that was not begun.
    ///
    /// @return whether the orchestrator took it
    public boolean release(String lease, String reason) {
        var release = new Release(workerId, List.of(lease), reason);
        return politely(
                "release",
                () -> orchestratorClient.release(JsonText.write(release.toJson()), FAREWELL));
    }

    /// Who is behind this link.
    public String workerId() {
        return workerId;
    }

    private boolean isLeased() {
        return registration.protocolVersion() == ProtocolVersion.LEASED;
    }

    private List<String> held() {
        var held = new LinkedHashSet<>(connectionCallbacks.leases(this));
        held.addAll(outbox.leases());
        return List.copyOf(held);
    }

    private void cancel(String id) {
        connectionCallbacks.cancel(this, id);
    }

    private interface Request {
        OrchestratorResponse send() throws IOException, InterruptedException;
    }

    /// Tries once; what fails here only takes the orchestrator longer to find out.
    private boolean politely(String what, Request request) {
        try {
            var orchestratorResponse = request.send();
            return orchestratorResponse.status() == 200;
        } catch (IOException e) {
            LOG.atDebug().addKeyValue("what", what).setCause(e).log("best-effort request failed");
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// Ends the conversation at once; outcomes that are not confirmed stay in the directory, if there is one.
    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
        if (isLeased() && registration.isKnown()) {
            politely("leave", () -> orchestratorClient.leave(FAREWELL));
        }
        orchestratorClient.close();
    }
}
