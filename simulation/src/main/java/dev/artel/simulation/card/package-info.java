/// Random cards among the jobs of a scenario: how they are drawn and written, and who judges their processes.
@NullMarked
package dev.artel.simulation.card;

import org.jspecify.annotations.NullMarked;
