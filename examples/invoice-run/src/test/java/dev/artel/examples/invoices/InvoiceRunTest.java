package dev.artel.examples.invoices;

import static dev.artel.examples.invoices.InvoiceTypes.INVOICE_RUN;
import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.artel.blueprint.Approval;
import dev.artel.client.ApprovalView;
import dev.artel.client.ArtelClient;
import dev.artel.client.ClientException;
import dev.artel.client.JobHandle;
import dev.artel.config.ServerConfig;
import dev.artel.engine.shell.Blueprints;
import dev.artel.examples.invoices.InvoiceTypes.Night;
import dev.artel.examples.invoices.InvoiceTypes.Report;
import dev.artel.json.JsonObject;
import dev.artel.server.ArtelNode;
import dev.artel.waits.Await;
import dev.artel.worker.Worker;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The example from end to end, as in its README.
final class InvoiceRunTest {
    private static final Duration LONGEST = Await.longest();

    private final Accounting accounting = new Accounting();

    @TempDir Path folder;

    private ArtelNode node;
    private Worker worker;
    private ArtelClient client;

    @BeforeEach
    void start() {
        node =
                ArtelNode.start(
                        ServerConfig.DEFAULTS.withPort(0).withData(folder.resolve("data")),
                        Blueprints.of(InvoiceBlueprints.run(), InvoiceBlueprints.invoice()));
        worker =
                accounting
                        .on(Worker.named("accounting"))
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

    private JobHandle<Report> runThatAsks() {
        var run = client.submit(INVOICE_RUN, new Night("2026-11-23"));
        await().until(() -> client.approvals(run.ref()).stream().anyMatch(ApprovalView::isOpen));
        return run;
    }

    @Test
    void aLargeRunToWhichSomebodyAgrees_isSentAndReported() {
        var run = runThatAsks();
        assertThat(client.approvals(run.ref()))
                .extracting(ApprovalView::message)
                .containsExactly("Send 39 invoices of 80,700 euros?");
        assertThat(accounting.done()).isEmpty();

        run.decide(Approval.APPROVE);

        assertThat(run.await(LONGEST)).isEqualTo(new Report("2026-11-23", 39, 80_700, 1, 0));
        assertThat(accounting.done())
                .hasSize(40)
                .contains("sent I-1", "sent I-40")
                .doesNotHaveDuplicates()
                .last()
                .isEqualTo("report 2026-11-23");
    }

    @Test
    void aLargeRunToWhichNobodyAgrees_sendsNothing_andItsInvoicesAreVoid() {
        var run = runThatAsks();

        run.decide(Approval.REJECT);

        assertThatExceptionOfType(ClientException.JobFailed.class)
                .isThrownBy(() -> run.await(LONGEST))
                .withMessageContaining("the invoices were not approved");
        assertThat(accounting.done()).containsExactly("void 2026-11-23");
    }

    @Test
    void theRunBeginsEachNight_andAtOnceWhereAPersonAsks() {
        try (var nightly =
                        ArtelNode.start(
                                ServerConfig.DEFAULTS
                                        .withPort(0)
                                        .withData(folder.resolve("nightly")),
                                Blueprints.of(
                                        InvoiceBlueprints.nightly(), InvoiceBlueprints.invoice()));
                var its = ArtelClient.of(nightly.uri(), nightly.clientToken())) {
            var schedule = its.api().get("/api/v1/schedules/nightly-invoices");
            assertThat(schedule.array("next").orElseThrow().size()).isEqualTo(5);

            var run = its.api().post("/api/v1/schedules/nightly-invoices/run", JsonObject.EMPTY);

            var job = its.api().get("/api/v1/jobs/" + run.string("job_id").orElseThrow());
            var date = job.object("initial_data").flatMap(it -> it.string("date")).orElseThrow();
            assertThat(LocalDate.parse(date)).isAfter(LocalDate.of(2026, 1, 1));
        }
    }
}
