/// A worker server with a listener of its own: WebSockets for workers, and what a program serves beside them.
package dev.artel.worker.server;
