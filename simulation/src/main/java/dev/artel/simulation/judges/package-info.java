/// What must be true of everything that becomes durable. Each judge has an account of its own and believes
/// nobody.
@NullMarked
package dev.artel.simulation.judges;

import org.jspecify.annotations.NullMarked;
