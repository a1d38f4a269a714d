/// Compensation of what a job did, and the log of what registered for it.
package dev.artel.kernel.compensation;
