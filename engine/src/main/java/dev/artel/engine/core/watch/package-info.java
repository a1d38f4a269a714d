/// Whether each job still waits for something that can happen.
@NullMarked
package dev.artel.engine.core.watch;

import org.jspecify.annotations.NullMarked;
