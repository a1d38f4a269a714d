/// The SDK that a worker embeds: declare how to do a type of task, start, and forget the rest.
package dev.artel.worker;
