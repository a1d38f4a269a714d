/// The job: one event stream, decided, applied and asked for its effects by pure functions.
package dev.artel.kernel.job;
