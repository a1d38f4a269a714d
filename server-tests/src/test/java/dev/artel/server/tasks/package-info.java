/// The orchestrator, asked from outside over real sockets.
@NullMarked
package dev.artel.server.tasks;

import org.jspecify.annotations.NullMarked;
