/// The simulation as a program: it plays scenario after scenario, or function after function, and stops at the
/// first that fails. The number of threads changes neither the course of a scenario nor which seed is reported.
@NullMarked
package dev.artel.simulation.campaign;

import org.jspecify.annotations.NullMarked;
