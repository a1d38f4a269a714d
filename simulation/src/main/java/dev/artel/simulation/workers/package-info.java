/// Simulated workers, what they make of their tasks, and the network between them and the orchestrator. Faults
/// strike them here.
@NullMarked
package dev.artel.simulation.workers;

import org.jspecify.annotations.NullMarked;
