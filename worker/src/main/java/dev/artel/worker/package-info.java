/// The SDK that a worker embeds: say how to do a type of task, start, and forget the rest.
package dev.artel.worker;
