/// The orchestrator, asked from outside over real sockets.
@NullMarked
package dev.artel.server.replay;

import org.jspecify.annotations.NullMarked;
