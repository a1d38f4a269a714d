package dev.artel.examples.invoices;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.simulation.ArtelSimulation;
import dev.artel.simulation.FakeWorker;
import dev.artel.simulation.ScriptedAnswer;
import dev.artel.simulation.ScriptedEvent;
import java.time.Duration;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/// Nights of invoices, in virtual time.
final class SimulatedInvoiceRunTest {
    private final FakeWorker accounting =
            FakeWorker.named("accounting")
                    .doing("write_invoice", ScriptedAnswer.success(invoice(500)))
                    .doing(
                            "send_invoice",
                            ScriptedAnswer.failure("greylisted"),
                            ScriptedAnswer.success())
                    .doing("void_invoices")
                    .doing("send_report");

    private static JsonObject invoice(int euros) {
        return JsonObject.builder()
                .put("number", "I-1")
                .put("customer", "Ada")
                .put("euros", euros)
                .build();
    }

    /// A run for `count` customers, of so many `euros` each.
    private ArtelSimulation run(int count, int euros) {
        var customer = JsonObject.builder().put("name", "Ada").put("euros", euros).build();
        var customers =
                JsonObject.of(
                        "customers",
                        new JsonArray(Collections.<JsonValue>nCopies(count, customer)));
        var office =
                FakeWorker.named("office")
                        .doing("list_customers", ScriptedAnswer.success(customers));
        return ArtelSimulation.of(InvoiceBlueprints.run())
                .child(InvoiceBlueprints.invoice())
                .workers(accounting, office)
                .initialData(JsonObject.of("date", JsonValue.of("2026-11-23")));
    }

    @Test
    void aSmallRun_isSentWithoutAQuestion_andMailIsTriedAgain() {
        run(3, 500)
                .run(1)
                .assertFinished()
                .assertNeverIn("ask")
                .assertAttempts("send_invoice", 4)
                .assertAttempts("send_report", 1);
    }

    @Test
    void aLargeRunOfWhichNobodyDecides_isVoidInTheMorning() {
        run(30, 500)
                .within(Duration.ofDays(1))
                .run(1)
                .assertFailed("the invoices were not approved")
                .assertAttempts("send_invoice", 0)
                .assertAttempts("void_invoices", 1);
    }

    @Test
    void whenTheOrchestratorDies_makesNoDifference() {
        run(3, 5_000)
                .at(Duration.ofMinutes(30), ScriptedEvent.decision("reject"))
                .killedAtEachAppend(1);
    }
}
