/// Puts the parts of an orchestrator together and takes them apart again.
@NullMarked
package dev.artel.server.wiring;

import org.jspecify.annotations.NullMarked;
