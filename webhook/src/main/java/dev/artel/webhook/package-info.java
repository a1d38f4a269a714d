/// Webhooks: HTTP calls about jobs and workers.
@NullMarked
package dev.artel.webhook;

import org.jspecify.annotations.NullMarked;
