/// Engines on the stores that users have.
@org.jspecify.annotations.NullMarked
package dev.artel.e2e.engine;
