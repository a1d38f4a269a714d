/// The whole system in one thread and virtual time, with faults, from a seed; and the promises that hold meanwhile.
package dev.artel.testkit.sim;
