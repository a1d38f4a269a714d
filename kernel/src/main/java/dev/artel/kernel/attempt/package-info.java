/// How a task reaches a worker: leases, and how they end.
package dev.artel.kernel.attempt;
