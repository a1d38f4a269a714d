/// The smallest orchestrator with a blueprint of its own, and the smallest worker.
@NullMarked
package dev.artel.examples.hello;

import org.jspecify.annotations.NullMarked;
