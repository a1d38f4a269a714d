package dev.artel.mcp;

import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpError;
import java.io.IOException;
import java.util.Map;

/// Writes and reads JSON as another mapper does, and of an error its code and message alone: the SDK answers a request of an unknown session with
/// the exception, its stack trace included.
///
/// @param mapper does the rest
record ErrorsWithoutTrace(McpJsonMapper mapper) implements McpJsonMapper {
    @Override
    public String writeValueAsString(Object value) throws IOException {
        return mapper.writeValueAsString(shown(value));
    }

    @Override
    public byte[] writeValueAsBytes(Object value) throws IOException {
        return mapper.writeValueAsBytes(shown(value));
    }

    private static Object shown(Object value) {
        return switch (value) {
            case McpError error -> Map.of("jsonrpc", "2.0", "error", error.getJsonRpcError());
            case Throwable failure ->
                    Map.of(
                            "jsonrpc",
                            "2.0",
                            "error",
                            Map.of(
                                    "code",
                                    -32603,
                                    "message",
                                    String.valueOf(failure.getMessage())));
            default -> value;
        };
    }

    @Override
    public <T> T readValue(String content, Class<T> type) throws IOException {
        return mapper.readValue(content, type);
    }

    @Override
    public <T> T readValue(byte[] content, Class<T> type) throws IOException {
        return mapper.readValue(content, type);
    }

    @Override
    public <T> T readValue(String content, TypeRef<T> type) throws IOException {
        return mapper.readValue(content, type);
    }

    @Override
    public <T> T readValue(byte[] content, TypeRef<T> type) throws IOException {
        return mapper.readValue(content, type);
    }

    @Override
    public <T> T convertValue(Object from, Class<T> type) {
        return mapper.convertValue(from, type);
    }

    @Override
    public <T> T convertValue(Object from, TypeRef<T> type) {
        return mapper.convertValue(from, type);
    }
}
