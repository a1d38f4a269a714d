/// Processes that run handlers apart from the worker: their pipes, their limits, and the pool that keeps them ready.
package dev.artel.worker.process;
