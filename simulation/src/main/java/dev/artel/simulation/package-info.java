/// The simulation as a program.
@NullMarked
package dev.artel.simulation;

import org.jspecify.annotations.NullMarked;
