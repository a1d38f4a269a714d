/// The contract suite of engines.
@org.jspecify.annotations.NullMarked
package dev.artel.testkit.engine;
