/// The workers: who is there, how they stand, and which ones an operator drains. What workers themselves ask is no part of this
/// API; see `dev.artel.gateway`.
@NullMarked
package dev.artel.server.api.workers;

import org.jspecify.annotations.NullMarked;
