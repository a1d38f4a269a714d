/// The orchestrator, asked from outside over real sockets.
@NullMarked
package dev.artel.server.blueprints;

import org.jspecify.annotations.NullMarked;
