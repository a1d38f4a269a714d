/// The ports of an engine: what clients and workers may ask of it.
package dev.artel.kernel.engine;
