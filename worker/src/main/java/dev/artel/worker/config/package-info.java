/// Reads what the environment of the process says of a worker.
package dev.artel.worker.config;
