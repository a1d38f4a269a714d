/// The simulation as a program.
@NullMarked
package dev.artel.e2e.sim;

import org.jspecify.annotations.NullMarked;
