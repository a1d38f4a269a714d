/// Webhooks: HTTP calls about jobs and workers.
@NullMarked
package dev.artel.server.webhook;

import org.jspecify.annotations.NullMarked;
