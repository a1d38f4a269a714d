/// A nightly run of invoices: written by a job for each customer, agreed to, sent and reported.
@NullMarked
package dev.artel.examples.invoices;

import org.jspecify.annotations.NullMarked;
