/// The log of the orchestrator as a program.
@NullMarked
package dev.artel.server.logs;

import org.jspecify.annotations.NullMarked;
