/// The orchestrator, asked from outside over real sockets.
@NullMarked
package dev.artel.server.http;

import org.jspecify.annotations.NullMarked;
