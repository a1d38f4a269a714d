/// Hostile frames for each wire of workers, and a server that has to live through them.
@NullMarked
package dev.artel.e2e.fuzz;

import org.jspecify.annotations.NullMarked;
