/// Workers on ZeroMQ: tasks are pushed to them over sockets, by the protocol `PUSH/1`.
@NullMarked
package dev.artel.gateway.zeromq;

import org.jspecify.annotations.NullMarked;
