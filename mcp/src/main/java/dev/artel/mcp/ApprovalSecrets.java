package dev.artel.mcp;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;

/// What lets each who has it decide about an approval: its token and its link. An agent gets neither, whatever it may do: it decides with the
/// consent of its person or not at all, and what it has seen goes to the provider of its model.
final class ApprovalSecrets {
    private static final String APPROVAL = "approval";
    private static final String TOKEN = "token";
    private static final String LINK = "link";

    private ApprovalSecrets() {}

    /// `value` without them, wherever an approval stands in it.
    static JsonValue leftOut(JsonValue value) {
        return switch (value) {
            case JsonArray array ->
                    new JsonArray(array.stream().map(ApprovalSecrets::leftOut).toList());
            case JsonObject object -> {
                var left = JsonObject.builder();
                object.members()
                        .forEach((name, member) -> {
                            var isSecret =
                                    object.has(APPROVAL)
                                            && (name.equals(TOKEN) || name.equals(LINK));
                            if (!isSecret) {
                                left.put(name, leftOut(member));
                            }
                        });
                yield left.build();
            }
            default -> value;
        };
    }
}
