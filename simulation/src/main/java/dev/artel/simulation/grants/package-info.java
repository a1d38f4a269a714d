/// What must be true of each grant of a lease: limits, rates, turns, and that no worker is idle while a task
/// waits for it. The judges keep a mirror of the dispatcher and compare each of its outputs with it.
@NullMarked
package dev.artel.simulation.grants;

import org.jspecify.annotations.NullMarked;
