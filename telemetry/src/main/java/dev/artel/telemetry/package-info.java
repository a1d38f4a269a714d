/// Traces: spans of OpenTelemetry made of the durable events of jobs, and sent to a collector.
@NullMarked
package dev.artel.telemetry;

import org.jspecify.annotations.NullMarked;
