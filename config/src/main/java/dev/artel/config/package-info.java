/// The settings of an orchestrator, and the one place that reads them.
@NullMarked
package dev.artel.config;

import org.jspecify.annotations.NullMarked;
