/// Spans of clients and of handlers, by the API of OpenTelemetry: nothing of its SDK, which is the program's to choose.
@NullMarked
package dev.artel.opentelemetry;

import org.jspecify.annotations.NullMarked;
