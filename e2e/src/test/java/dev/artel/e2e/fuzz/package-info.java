/// Hostile frames for each wire, and whether those who look at the answers see what they look for.
@NullMarked
package dev.artel.e2e.fuzz;

import org.jspecify.annotations.NullMarked;
