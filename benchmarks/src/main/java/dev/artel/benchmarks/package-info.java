/// Load programs with the production wiring; results as JSON and a table.
@NullMarked
package dev.artel.benchmarks;

import org.jspecify.annotations.NullMarked;
