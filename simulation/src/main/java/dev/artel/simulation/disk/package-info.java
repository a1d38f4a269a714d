/// The store of a simulated orchestrator, whose appends fail, are torn, come to an unknown end or find the disk
/// full. Events and commands pass through the codec on their way.
@NullMarked
package dev.artel.simulation.disk;

import org.jspecify.annotations.NullMarked;
