/// The engine's decisions about what to do when, without threads, time, waits or I/O.
@NullMarked
package dev.artel.engine.core;

import org.jspecify.annotations.NullMarked;
