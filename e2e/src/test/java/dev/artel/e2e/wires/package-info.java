/// The SDK of workers over each of its wires, and over several of them, against a whole orchestrator.
@NullMarked
package dev.artel.e2e.wires;

import org.jspecify.annotations.NullMarked;
