/// What happened to a job: its events as documents, in pages and as streams, the large values that they name, and the lines
/// that workers wrote. A new kind of event is shown in [EventDocument].
@NullMarked
package dev.artel.server.api.history;

import org.jspecify.annotations.NullMarked;
