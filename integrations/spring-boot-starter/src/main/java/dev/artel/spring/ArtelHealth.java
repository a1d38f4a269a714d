package dev.artel.spring;

import dev.artel.client.ArtelClient;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/// Up while the orchestrator takes jobs, if there is a client.
final class ArtelHealth implements HealthIndicator {
    private final @Nullable ArtelClient client;
    private final @Nullable RunningWorker worker;

    ArtelHealth(@Nullable ArtelClient client, @Nullable RunningWorker worker) {
        this.client = client;
        this.worker = worker;
    }

    @Override
    public Health health() {
        var health = Health.up();
        if (client != null) {
            var isReady = client.isReady();
            health = isReady ? health : Health.down();
            health.withDetail("orchestrator", isReady ? "ready" : "not ready");
        }
        if (worker != null) {
            health.withDetail("worker", worker.isRunning() ? "running" : "stopped");
        }
        return health.build();
    }
}
