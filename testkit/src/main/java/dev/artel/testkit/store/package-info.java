/// The contracts of stores, and stores in memory that keep them.
package dev.artel.testkit.store;
