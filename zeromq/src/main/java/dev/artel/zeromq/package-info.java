/// The threads on which orchestrator and workers serve their ZeroMQ sockets.
@NullMarked
package dev.artel.zeromq;

import org.jspecify.annotations.NullMarked;
