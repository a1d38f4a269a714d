/// Chaos as a program: a real orchestrator, real workers, clients and receivers under random faults, and a checker that reads
/// all histories afterwards.
@NullMarked
package dev.artel.e2e.chaos;

import org.jspecify.annotations.NullMarked;
