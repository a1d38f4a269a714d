/// Workers on RabbitMQ: agents that get commands over a topic exchange, as CloudEvents.
@NullMarked
package dev.artel.gateway.mindbus;

import org.jspecify.annotations.NullMarked;
