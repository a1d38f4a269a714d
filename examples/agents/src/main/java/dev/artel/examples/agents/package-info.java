/// An agent on RabbitMQ in Java.
@NullMarked
package dev.artel.examples.agents;

import org.jspecify.annotations.NullMarked;
