/// The wire over RabbitMQ of the SDK for workers: an agent on MindBus, with CloudEvents in structured JSON.
@NullMarked
package dev.artel.worker.amqp;

import org.jspecify.annotations.NullMarked;
