/// What the orchestrator knows of workers.
package dev.artel.kernel.fleet;
