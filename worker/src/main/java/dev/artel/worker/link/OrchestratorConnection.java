package dev.artel.worker.link;

import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.protocol.AskQuestion;
import dev.artel.protocol.Progress;
import dev.artel.protocol.Release;
import dev.artel.protocol.TaskAssignment;
import dev.artel.protocol.TaskLog;
import dev.artel.protocol.TaskResult;
import dev.artel.protocol.ValueRef;
import dev.artel.worker.wire.OrchestratorResponse;
import dev.artel.worker.wire.TaskWire;
import dev.artel.worker.wire.WireEvents;
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
    private final @Nullable WireReturn wireReturn;
    private final List<Thread> threads = new ArrayList<>();

    /// A link that does nothing before [#start].
    ///
    /// @param addresses those of one orchestrator, in the order of preference
    /// @param unconfirmed the most results that wait for their confirmation
    /// @param directory where they survive this process; null for in memory alone
    public OrchestratorConnection(
            List<Orchestrator> addresses,
            String workerId,
            LinkSettings settings,
            ConnectionCallbacks connectionCallbacks,
            int unconfirmed,
            @Nullable Path directory) {
        this.workerId = workerId;
        this.connectionCallbacks = connectionCallbacks;
        registration = new RegistrationState(availabilityChanged, settings.lease());
        orchestratorClient =
                new OrchestratorClient(
                        addresses, workerId, settings, new Events(), registration::lose);
        var introduction = new Introducing(settings);
        questions = new Questions(orchestratorClient, settings.backoff());
        payloadTransfer = new PayloadTransfer(orchestratorClient, settings.backoff());
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
                        introduction,
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
                                orchestratorClient::socket, settings, registration, this::cancel)
                        : null;
        wireReturn =
                addresses.size() > 1
                        ? new WireReturn(orchestratorClient, introduction, settings, registration)
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
        if (wireReturn != null) {
            threads.add(wireReturn.start(name + "return"));
        }
    }

    /// How the worker introduces itself at this moment.
    private final class Introducing implements OrchestratorClient.Introduction {
        private final LinkSettings settings;

        private Introducing(LinkSettings settings) {
            this.settings = settings;
        }

        @Override
        public JsonObject introduction() {
            return connectionCallbacks
                    .introduction(settings.lease(), settings.websocket())
                    .toJson();
        }

        @Override
        public List<String> held() {
            return OrchestratorConnection.this.held();
        }
    }

    /// What comes in by itself.
    private final class Events implements WireEvents {
        @Override
        public boolean pushed(TaskAssignment task) {
            return poller.takePushed(task);
        }

        @Override
        public void cancelled(String id) {
            cancel(id);
        }

        @Override
        public void lost(String lease, String reason) {
            connectionCallbacks.forget(OrchestratorConnection.this, lease, reason);
        }

        @Override
        public void shutDown(String reason) {
            connectionCallbacks.shutDown(OrchestratorConnection.this, reason);
        }

        @Override
        public List<String> held() {
            return OrchestratorConnection.this.held();
        }

        @Override
        public void broken(TaskWire wire, String cause) {
            if (orchestratorClient.noteEnd(wire)) {
                LOG.atWarn()
                        .addKeyValue("orchestrator", wire)
                        .addKeyValue("cause", cause)
                        .log("the connection has ended; connecting again");
                registration.lose();
            }
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
        if (!orchestratorClient.send(progress) && (socket == null || !socket.send(progress))) {
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
        orchestratorClient.fallSilent(FAREWELL);
        threads.forEach(Thread::interrupt);
        if (isLeased() && registration.isKnown()) {
            politely("leave", () -> orchestratorClient.leave(FAREWELL));
        }
        orchestratorClient.close();
    }
}
