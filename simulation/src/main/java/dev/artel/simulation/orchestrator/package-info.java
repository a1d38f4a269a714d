/// One process of an orchestrator in virtual time: the cores of the engine are real, the shell around them has no
/// threads. It can be killed between any two of its acts, and starts again from what is durable.
@NullMarked
package dev.artel.simulation.orchestrator;

import org.jspecify.annotations.NullMarked;
