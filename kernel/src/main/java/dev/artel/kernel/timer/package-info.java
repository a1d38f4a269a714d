/// Timers of a job.
package dev.artel.kernel.timer;
