/// Workers behind WebSockets without the server: who is registered, who is healthy, who takes the next request.
package dev.artel.worker.server.hub;
