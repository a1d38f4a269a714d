/// Conditions in the Common Expression Language (CEL), and in the simpler syntax of the workers' first orchestrator.
@NullMarked
package dev.artel.expression;

import org.jspecify.annotations.NullMarked;
