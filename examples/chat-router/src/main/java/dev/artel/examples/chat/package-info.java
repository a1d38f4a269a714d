/// A router of chat completions: programs ask over HTTP, workers with models wait behind WebSockets.
@org.jspecify.annotations.NullMarked
package dev.artel.examples.chat;
