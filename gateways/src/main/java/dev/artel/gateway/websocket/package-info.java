/// Workers to which tasks are pushed over WebSockets: registers them, sends them tasks, and takes their messages and calls.
@NullMarked
package dev.artel.gateway.websocket;

import org.jspecify.annotations.NullMarked;
