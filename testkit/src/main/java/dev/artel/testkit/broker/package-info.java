/// A message broker for tests of what talks over one.
package dev.artel.testkit.broker;
