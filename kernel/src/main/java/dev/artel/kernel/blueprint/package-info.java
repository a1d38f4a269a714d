/// What an author writes: states, handlers and the actions that they return.
package dev.artel.kernel.blueprint;
