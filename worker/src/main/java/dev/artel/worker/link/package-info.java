/// A worker's side of the conversation with one orchestrator over HTTP.
package dev.artel.worker.link;
