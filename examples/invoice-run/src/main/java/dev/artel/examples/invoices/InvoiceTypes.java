package dev.artel.examples.invoices;

import dev.artel.blueprint.BlueprintType;
import dev.artel.blueprint.Nothing;
import dev.artel.blueprint.TaskType;
import java.util.List;

/// What the blueprints, the worker and clients call things, and what these carry. Amounts are in whole euros.
final class InvoiceTypes {
    /// What a client submits each night.
    record Night(String date) {}

    record Customer(String name, int euros) {}

    record Customers(List<Customer> customers) {}

    record Invoice(String number, String customer, int euros) {}

    /// All invoices of a night that could be written.
    record Invoices(List<Invoice> invoices) {
        int euros() {
            return invoices.stream().mapToInt(Invoice::euros).sum();
        }
    }

    /// @param unwritten how many customers have no invoice
    /// @param unsent how many invoices could not be sent
    record Report(String date, int sent, int euros, int unwritten, int unsent) {}

    static final BlueprintType<Night, Report> INVOICE_RUN =
            BlueprintType.of("invoice_run", Night.class, Report.class);
    static final BlueprintType<Customer, Invoice> INVOICE =
            BlueprintType.of("invoice", Customer.class, Invoice.class);

    static final TaskType<Night, Customers> LIST_CUSTOMERS =
            TaskType.of("list_customers", Night.class, Customers.class);
    static final TaskType<Customer, Invoice> WRITE_INVOICE =
            TaskType.of("write_invoice", Customer.class, Invoice.class);
    static final TaskType<Night, Nothing> VOID_INVOICES = TaskType.of("void_invoices", Night.class);
    static final TaskType<Invoice, Nothing> SEND_INVOICE =
            TaskType.of("send_invoice", Invoice.class);
    static final TaskType<Report, Nothing> SEND_REPORT = TaskType.of("send_report", Report.class);

    private InvoiceTypes() {}
}
