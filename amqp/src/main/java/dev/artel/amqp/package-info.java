/// The connections over which orchestrator and workers read messages of RabbitMQ.
@NullMarked
package dev.artel.amqp;

import org.jspecify.annotations.NullMarked;
