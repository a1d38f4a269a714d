/// Random durable functions, which run once in a world without faults and once in an orchestrator that crashes.
/// Both must come to the same end.
@NullMarked
package dev.artel.simulation.function;

import org.jspecify.annotations.NullMarked;
