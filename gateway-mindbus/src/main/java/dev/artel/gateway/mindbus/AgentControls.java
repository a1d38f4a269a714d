package dev.artel.gateway.mindbus;

import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.store.StoreException;
import dev.artel.log.LinesAMinute;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// `CONTROL` messages of others: `pause` and `resume` of an agent hold for the fleet, whether the agent listens to controls or not.
/// Safe for use by many threads.
final class AgentControls implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AgentControls.class);

    private final NodeRegistry registry;
    private final AgentFleet fleet;
    private final MindBusConfig config;

    /// Senders choose how many controls there are.
    private final LinesAMinute lines = new LinesAMinute(60);

    /// One after another: a pause and the resume after it must not change places. What waits is limited by the prefetch.
    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(
                    Thread.ofVirtual().name("artel-mindbus-controls").factory());

    AgentControls(NodeRegistry registry, AgentFleet fleet, MindBusConfig config) {
        this.config = config;
        this.registry = registry;
        this.fleet = fleet;
    }

    /// Takes a message.
    ///
    /// @param key under which it was published
    /// @param onDone called once, when the message may be acknowledged
    /// @throws UnreadableEvent if it is no control
    /// @throws ForeignSender if its account may not control the agents
    void take(BusEvent event, String key, Runnable onDone) {
        if (!event.type().equals(BusEvent.CONTROL)) {
            throw new UnreadableEvent("a key of controls takes no " + event.type());
        }
        var kind = event.text("control_type").orElse("");
        var isPause = kind.equals("pause");
        if ((!isPause && !kind.equals("resume")) || isAboutATask(event)) {
            onDone.run();
            return;
        }
        var agents = agents(key);
        agents.forEach(
                agent -> config.door().checkControl(agent.value(), event.user(), config.user()));
        try {
            thread.execute(() -> {
                hold(agents, isPause, event);
                onDone.run();
            });
        } catch (RejectedExecutionException closing) {
            LOG.atDebug().log("a control comes again, as the gateway is being closed");
        }
    }

    /// It is for an agent that listens to controls.
    private static boolean isAboutATask(BusEvent event) {
        return event.data()
                .object("parameters")
                .filter(parameters -> parameters.has("process_id") || parameters.has("task_id"))
                .isPresent();
    }

    /// `ctl.<name, dots as underscores>.any`, or `ctl.all.any`.
    private List<WorkerId> agents(String key) {
        var parts = key.split("\\.", 3);
        return parts.length < 2 ? List.of() : registry.addressed(parts[1]);
    }

    /// In one write, however many there are.
    private void hold(List<WorkerId> agents, boolean isPause, BusEvent event) {
        if (agents.isEmpty()) {
            return;
        }
        var shown = agents.size() == 1 ? agents.getFirst() : agents.size() + " agents";
        var by = "control of " + BusEvent.shortened(event.source());
        try {
            if (isPause) {
                fleet.paused(agents, by, event.text("reason").map(BusEvent::shortened));
            } else {
                fleet.resumed(agents, by);
            }
            lines.log(
                    LOG.atInfo().addKeyValue("agent", shown).addKeyValue("by", by),
                    isPause
                            ? "an agent is paused by a control"
                            : "an agent is resumed by a control");
        } catch (StoreException failure) {
            lines.log(
                    LOG.atError()
                            .addKeyValue("agent", shown)
                            .addKeyValue("pause", isPause)
                            .setCause(failure),
                    "a control could not be kept; drain or undrain the agent");
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
