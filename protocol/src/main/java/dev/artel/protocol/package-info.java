/// What a worker and the orchestrator say to each other, read tolerantly and written in one form.
package dev.artel.protocol;
