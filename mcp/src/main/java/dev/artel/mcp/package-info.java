/// Jobs for agents: a server of the Model Context Protocol on the standard input and output, which asks an orchestrator over its API.
@NullMarked
package dev.artel.mcp;

import org.jspecify.annotations.NullMarked;
