package dev.artel.examples.trip;

import static dev.artel.examples.trip.TripTypes.TRIP;
import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.blueprint.Approval;
import dev.artel.blueprint.Blueprint;
import dev.artel.blueprint.Verdict;
import dev.artel.client.ApprovalView;
import dev.artel.client.ArtelClient;
import dev.artel.client.JobRef;
import dev.artel.client.JobStatus;
import dev.artel.client.JobView;
import dev.artel.config.ServerConfig;
import dev.artel.engine.shell.Blueprints;
import dev.artel.examples.trip.TripTypes.Trip;
import dev.artel.server.ArtelNode;
import dev.artel.waits.Await;
import dev.artel.worker.Worker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// An orchestrator with the example's blueprints, its worker, and a client.
abstract class TravelAgency {
    static final Duration LONGEST = Await.longest();

    final TripWorker agency = new TripWorker();

    @TempDir Path folder;

    ArtelNode node;
    private Worker worker;
    ArtelClient client;

    @BeforeEach
    void start() {
        node =
                ArtelNode.start(
                        ServerConfig.DEFAULTS.withPort(0).withData(folder.resolve("data")),
                        Blueprints.of(trip(), PaymentBlueprint.payment()));
        worker =
                agency.on(Worker.named("travel-agency"))
                        .orchestrator(node.uri(), node.workerToken())
                        .withoutShutdownHook()
                        .build();
        worker.start();
        client = ArtelClient.of(node.uri(), node.clientToken());
    }

    @AfterEach
    void stop() {
        client.close();
        worker.close();
        node.close();
    }

    /// The trip that the orchestrator knows.
    Blueprint trip() {
        return TripBlueprint.trip();
    }

    JobRef trip(String traveller, String to) {
        return client.submit(TRIP, new Trip(traveller, to, 1480)).ref();
    }

    ApprovalView question(JobRef job) {
        return await().until(
                        () ->
                                client.approvals(job).stream()
                                        .filter(ApprovalView::isOpen)
                                        .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    void decide(JobRef job, Verdict decision) {
        client.decide(job, question(job).number(), Approval.YES_OR_NO.word(decision));
    }

    void awaitStatus(JobRef job, JobStatus status) {
        await().untilAsserted(() -> assertThat(client.find(job).status()).isEqualTo(status));
    }

    JobView end(JobRef job) {
        return client.awaitFinal(job, LONGEST);
    }
}
