package dev.artel.examples.invoices;

import static dev.artel.examples.invoices.InvoiceTypes.INVOICE;
import static dev.artel.examples.invoices.InvoiceTypes.INVOICE_RUN;
import static dev.artel.examples.invoices.InvoiceTypes.LIST_CUSTOMERS;
import static dev.artel.examples.invoices.InvoiceTypes.SEND_INVOICE;
import static dev.artel.examples.invoices.InvoiceTypes.SEND_REPORT;
import static dev.artel.examples.invoices.InvoiceTypes.VOID_INVOICES;
import static dev.artel.examples.invoices.InvoiceTypes.WRITE_INVOICE;

import dev.artel.blueprint.Approval;
import dev.artel.blueprint.Blueprint;
import dev.artel.blueprint.JobSchedule;
import dev.artel.blueprint.Step;
import dev.artel.blueprint.Variable;
import dev.artel.examples.invoices.InvoiceTypes.Invoices;
import dev.artel.examples.invoices.InvoiceTypes.Night;
import dev.artel.examples.invoices.InvoiceTypes.Report;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;

/// The run of a night, and the invoice of one customer.
final class InvoiceBlueprints {
    /// Runs of more euros wait for a person.
    static final int LARGE = 10_000;

    private static final Variable<Invoices> WRITTEN = Variable.of("written", Invoices.class);
    private static final Variable<Report> REPORT = Variable.of("report", Report.class);

    private InvoiceBlueprints() {}

    /// The run, which begins each night by itself.
    static Blueprint nightly() {
        return run().schedule(
                        "nightly-invoices",
                        JobSchedule.everyDay(LocalTime.of(1, 0), ZoneId.of("Europe/Berlin"))
                                .withInput(new Night("${tick.date}"))
                                .withOverlap(JobSchedule.Overlap.QUEUE));
    }

    /// Nothing is sent before all is written and agreed to. If nobody agrees, the invoices are void.
    static Blueprint run() {
        var b = Blueprint.states(INVOICE_RUN);
        var write = b.state("write");
        var written = b.state("written");
        var check = b.state("check");
        var ask = b.state("ask");
        var decline = b.fail("decline", "the invoices were not approved");
        var send = b.state("send");
        var sent = b.state("sent");
        var report = b.state("report");
        var done = b.finish("done", InvoiceBlueprints::reported);

        b.guards(it -> it.withTreeSteps(50_000));
        b.start("list").call(LIST_CUSTOMERS, Step::input).then(write);
        b.in(write)
                .childForEach(INVOICE, step -> step.result(LIST_CUSTOMERS).customers())
                .window(20)
                .settled()
                .compensatedBy(VOID_INVOICES, Step::input)
                .then(written);
        b.in(written).set(WRITTEN, step -> new Invoices(step.results(INVOICE))).then(check);
        b.in(check).when(step -> written(step).euros() > LARGE, ask).otherwise(send);
        b.in(ask)
                .approval(InvoiceBlueprints::question)
                .within(Duration.ofHours(12), decline)
                .on(Approval.APPROVE, send)
                .on(Approval.REJECT, decline);
        b.in(send)
                .callAll(SEND_INVOICE, step -> written(step).invoices())
                .limitedBy("mail", 5)
                .attempts(6)
                .settled()
                .then(sent);
        b.in(sent).set(REPORT, InvoiceBlueprints::report).then(report);
        b.in(report).call(SEND_REPORT, InvoiceBlueprints::reported).then(done);
        return b.build();
    }

    /// Four are written at once, of whatever run.
    static Blueprint invoice() {
        var b = Blueprint.states(INVOICE);
        var done = b.finish("done", step -> step.result(WRITE_INVOICE));
        var unwritten = b.fail("unwritten", step -> step.failures().getFirst().message());
        b.start("write")
                .call(WRITE_INVOICE, Step::input)
                .limitedBy("printer", 4)
                .attempts(5)
                .executionTimeout(Duration.ofMinutes(1))
                .then(done)
                .onFailure(unwritten);
        return b.build();
    }

    private static Invoices written(Step<Night> step) {
        return step.get(WRITTEN).orElseThrow();
    }

    private static Report reported(Step<Night> step) {
        return step.get(REPORT).orElseThrow();
    }

    private static String question(Step<Night> step) {
        var written = written(step);
        return "Send %d invoices of %,d euros?"
                .formatted(written.invoices().size(), written.euros());
    }

    private static Report report(Step<Night> step) {
        var written = written(step);
        var customers = step.result(LIST_CUSTOMERS).customers().size();
        var unsent = step.failures().size();
        return new Report(
                step.input().date(),
                written.invoices().size() - unsent,
                written.euros(),
                customers - written.invoices().size(),
                unsent);
    }
}
