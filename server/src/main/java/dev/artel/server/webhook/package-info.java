/// Telling others outside, over HTTP, what becomes of jobs and workers.
@NullMarked
package dev.artel.server.webhook;

import org.jspecify.annotations.NullMarked;
