/// Whole scenarios that a seed draws: blueprints, handlers, clients and people. A scenario that fails is shrunk
/// to the smallest that still does.
@NullMarked
package dev.artel.simulation.random;

import org.jspecify.annotations.NullMarked;
