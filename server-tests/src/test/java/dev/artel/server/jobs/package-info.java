/// The orchestrator, asked from outside over real sockets.
@NullMarked
package dev.artel.server.jobs;

import org.jspecify.annotations.NullMarked;
