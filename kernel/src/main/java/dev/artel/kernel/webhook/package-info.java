/// Webhooks and the events that they receive.
package dev.artel.kernel.webhook;
