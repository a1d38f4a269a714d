/// The orchestrator as a program and as a part of another one.
@NullMarked
package dev.artel.server;

import org.jspecify.annotations.NullMarked;
