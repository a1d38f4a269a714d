/// Runs durable functions as handlers of a blueprint: replays them, keeps them in memory between their calls, and records what they ask.
package dev.artel.blueprint.function;
