package dev.artel.examples.invoices;

import static dev.artel.examples.invoices.InvoiceTypes.LIST_CUSTOMERS;
import static dev.artel.examples.invoices.InvoiceTypes.SEND_INVOICE;
import static dev.artel.examples.invoices.InvoiceTypes.SEND_REPORT;
import static dev.artel.examples.invoices.InvoiceTypes.VOID_INVOICES;
import static dev.artel.examples.invoices.InvoiceTypes.WRITE_INVOICE;

import dev.artel.examples.invoices.InvoiceTypes.Customer;
import dev.artel.examples.invoices.InvoiceTypes.Customers;
import dev.artel.examples.invoices.InvoiceTypes.Invoice;
import dev.artel.worker.PermanentFailure;
import dev.artel.worker.WorkerBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Customers, printer and mail in one, which remember what they were asked. Thread-safe.
///
/// There are forty customers, of whom one has an address that nobody can write to.
final class Accounting {
    private final List<String> done = new ArrayList<>();

    /// A worker that does all of this.
    WorkerBuilder on(WorkerBuilder worker) {
        return worker.handle(LIST_CUSTOMERS, _ -> customers())
                .handle(WRITE_INVOICE, this::write)
                .handleVoid(VOID_INVOICES, night -> note("void " + night.date()))
                .handleVoid(SEND_INVOICE, invoice -> note("sent " + invoice.number()))
                .handleVoid(SEND_REPORT, report -> note("report " + report.date()));
    }

    private static Customers customers() {
        return new Customers(
                IntStream.rangeClosed(1, 40)
                        .mapToObj(i -> new Customer("customer " + i, 100 * i))
                        .toList());
    }

    private Invoice write(Customer customer) throws PermanentFailure {
        if (customer.name().equals("customer 13")) {
            throw new PermanentFailure("customer 13 has no address");
        }
        return new Invoice("I-" + customer.name().substring(9), customer.name(), customer.euros());
    }

    synchronized List<String> done() {
        return List.copyOf(done);
    }

    private synchronized void note(String what) {
        done.add(what);
    }
}
