/// Ports for servers of tests that are started again.
package dev.artel.testkit.port;
