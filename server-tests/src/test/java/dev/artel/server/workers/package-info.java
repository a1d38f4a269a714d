/// The orchestrator, asked from outside over real sockets.
@NullMarked
package dev.artel.server.workers;

import org.jspecify.annotations.NullMarked;
