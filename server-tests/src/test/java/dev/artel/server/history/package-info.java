/// The orchestrator, asked from outside over real sockets.
@NullMarked
package dev.artel.server.history;

import org.jspecify.annotations.NullMarked;
