/// The orchestrator, asked from outside over real sockets.
@NullMarked
package dev.artel.server.operations;

import org.jspecify.annotations.NullMarked;
