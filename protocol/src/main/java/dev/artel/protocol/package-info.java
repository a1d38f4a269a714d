/// The messages between a worker and the orchestrator, read tolerantly and written in one form.
package dev.artel.protocol;
