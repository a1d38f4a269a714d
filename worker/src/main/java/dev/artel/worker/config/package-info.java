/// Reads the settings of a worker from the environment of the process.
package dev.artel.worker.config;
