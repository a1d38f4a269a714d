/// The wires between a worker and an orchestrator: what each must do, and how another one is added.
package dev.artel.worker.wire;
