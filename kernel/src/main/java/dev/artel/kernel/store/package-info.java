/// The ports to what remembers: events, the rows by which jobs are found, and large values.
package dev.artel.kernel.store;
