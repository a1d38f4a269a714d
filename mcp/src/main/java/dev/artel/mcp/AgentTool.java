package dev.artel.mcp;

import dev.artel.client.ArtelClient;
import dev.artel.json.JsonValue;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;

/// One thing that an agent can do.
///
/// @param name of the tool
/// @param description for the agent
/// @param properties the members of its arguments, as a JSON Schema has them
/// @param required which of them must be there, as a JSON array
record AgentTool(
        String name, String description, Kind kind, String properties, String required, Act act) {
    /// What it changes.
    enum Kind {
        /// Nothing.
        READS,
        /// It adds a job.
        SUBMITS,
        /// It changes a job; to do it again changes nothing more.
        STEERS,
        /// It ends something.
        ENDS;

        boolean changes() {
            return this == STEERS || this == ENDS;
        }
    }

    /// What it does.
    interface Act {
        /// Does it for one call.
        ///
        /// @throws IllegalArgumentException if the arguments make no sense
        /// @throws dev.artel.client.ClientException if the orchestrator refuses
        JsonValue perform(ArtelClient client, ToolArguments arguments);
    }

    /// The JSON Schema of its arguments.
    String schema() {
        return "{\"type\":\"object\",\"properties\":{"
                + properties
                + "},\"required\":"
                + required
                + ",\"additionalProperties\":false}";
    }

    ToolAnnotations annotations() {
        return ToolAnnotations.builder()
                .title(name.replace('_', ' '))
                .readOnlyHint(kind == Kind.READS)
                .destructiveHint(kind == Kind.ENDS)
                .idempotentHint(kind != Kind.SUBMITS)
                .openWorldHint(kind != Kind.READS)
                .build();
    }
}
