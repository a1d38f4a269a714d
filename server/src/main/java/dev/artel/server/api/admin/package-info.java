/// What operators set for the whole orchestrator: generations of keys, and pauses of blueprints and clients. Jars are in
/// `blueprints`, drains are in `workers`.
@NullMarked
package dev.artel.server.api.admin;

import org.jspecify.annotations.NullMarked;
