/// Where a planted bug does its harm to what the orchestrator's parts send to each other. Without a planted bug
/// everything passes unchanged.
@NullMarked
package dev.artel.simulation.mutants;

import org.jspecify.annotations.NullMarked;
