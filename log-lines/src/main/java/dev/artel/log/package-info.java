/// Bounds what others can have written to the log.
package dev.artel.log;
