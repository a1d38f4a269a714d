/// The orchestrator's own worker: the built-in actions, over a wire inside of the process.
@NullMarked
package dev.artel.server.embedded;

import org.jspecify.annotations.NullMarked;
