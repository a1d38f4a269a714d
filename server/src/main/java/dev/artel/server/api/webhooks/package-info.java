/// Subscriptions to webhooks, what became of their calls, and calls that are made again. The calls themselves are made by
/// `dev.artel.webhook`.
@NullMarked
package dev.artel.server.api.webhooks;

import org.jspecify.annotations.NullMarked;
