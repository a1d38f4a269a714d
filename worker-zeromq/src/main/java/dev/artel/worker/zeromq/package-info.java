/// The wire over ZeroMQ of the SDK for workers: `PUSH/1` with three DEALER sockets.
@NullMarked
package dev.artel.worker.zeromq;

import org.jspecify.annotations.NullMarked;
