/// The demo: an orchestrator, three workers and a client in one go.
@NullMarked
package dev.artel.examples.photos.demo;

import org.jspecify.annotations.NullMarked;
