/// The figures of the orchestrator, for Prometheus. They count from the start of the process; nothing of them is durable.
@NullMarked
package dev.artel.server.api.figures;

import org.jspecify.annotations.NullMarked;
