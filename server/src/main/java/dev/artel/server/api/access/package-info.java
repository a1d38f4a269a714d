/// What stands between a request and what it asks about: who may ask, when it is their turn, whether the orchestrator can
/// answer yet, which jobs a caller sees, how one is read, and why a command was refused. It knows no resource.
@NullMarked
package dev.artel.server.api.access;

import org.jspecify.annotations.NullMarked;
