/// What all parts of a simulation share: virtual time, chance, the scenario with its traits and planted bug, and
/// the settings by which workers are shared. It knows no orchestrator.
@NullMarked
package dev.artel.simulation.world;

import org.jspecify.annotations.NullMarked;
