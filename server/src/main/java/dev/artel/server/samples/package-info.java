/// Blueprints to try an orchestrator with.
@NullMarked
package dev.artel.server.samples;

import org.jspecify.annotations.NullMarked;
