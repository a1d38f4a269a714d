/// What every wire to workers must keep, and an engine small enough to be believed.
package dev.artel.testkit.transport;
