/// A job of an author's blueprint in virtual time, with scripted workers, people and faults. Every promise of the
/// orchestrator is checked meanwhile.
@NullMarked
package dev.artel.simulation;

import org.jspecify.annotations.NullMarked;
