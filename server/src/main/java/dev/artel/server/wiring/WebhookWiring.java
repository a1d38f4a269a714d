package dev.artel.server.wiring;

import dev.artel.approval.ApprovalLinks;
import dev.artel.config.ServerConfig;
import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.StreamFold;
import dev.artel.kernel.task.Payload;
import dev.artel.webhook.Unusable;
import dev.artel.webhook.Webhooks;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Connects the webhooks to jobs, workers and the network.
final class WebhookWiring {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookWiring.class);

    private WebhookWiring() {}

    /// @throws StartupException if a person has to change the settings first
    static void check(ServerConfig config) {
        try {
            Webhooks.check(config.ingress().webhooks());
        } catch (Unusable unusable) {
            throw new StartupException(String.valueOf(unusable.getMessage()), unusable);
        }
    }

    /// @throws StartupException if a person has to change the settings first
    static Webhooks open(
            ServerConfig config,
            Storage storage,
            Blueprints blueprints,
            Function<Payload, JsonValue> values,
            ApprovalLinks links,
            InstantSource clock) {
        var settings = config.ingress().webhooks();
        for (var one : settings.subscriptions()) {
            one.blueprints().stream()
                    .filter(name -> !blueprints.names().contains(name))
                    .forEach(name ->
                            LOG.atWarn()
                                    .addKeyValue("subscription", one.name())
                                    .addKeyValue("blueprint", name)
                                    .log("a subscription names an unknown blueprint"));
        }
        try {
            return new Webhooks(
                    settings, storage.dataStores(), jobs(storage.events()), values, links, clock);
        } catch (Unusable unusable) {
            throw new StartupException(String.valueOf(unusable.getMessage()), unusable);
        }
    }

    private static Function<JobId, Optional<Job>> jobs(EventStore store) {
        return id ->
                StreamFold.of(store, id).state() instanceof Job job
                        ? Optional.of(job)
                        : Optional.empty();
    }

    /// Something has happened to a worker.
    static void send(Webhooks webhooks, String type, JsonObject what) {
        switch (type) {
            case "worker.joined" -> webhooks.worker("worker_registered", what);
            case "worker.left" -> webhooks.worker("worker_offline", what);
            case "worker.unhealthy" -> webhooks.worker("worker_unhealthy", what);
            case "worker.healthy" -> webhooks.worker("worker_healthy", what);
            case "worker.draining" -> webhooks.worker("worker_draining", what);
            case "worker.undrained" -> webhooks.worker("worker_undrained", what);
            default -> {
                // no subscriber wants to know
            }
        }
    }
}
