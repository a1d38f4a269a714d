/// Kills real processes at random moments and looks whether anything was lost.
@NullMarked
package dev.artel.e2e.kill;

import org.jspecify.annotations.NullMarked;
