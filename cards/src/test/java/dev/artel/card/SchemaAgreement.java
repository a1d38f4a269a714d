package dev.artel.card;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import dev.artel.card.yaml.YamlNode;
import dev.artel.card.yaml.YamlReader;
import dev.artel.json.text.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// The schema and the reader of cards, side by side.
final class SchemaAgreement {
    private static final JsonSchema SCHEMA =
            JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                    .getSchema(Cards.schema());

    private SchemaAgreement() {}

    /// What the schema has against the card `text`, which is YAML.
    static List<String> objections(String text) {
        var json = YamlReader.read(text).root().map(YamlNode::json).orElseThrow();
        return SCHEMA
                .validate(
                        new String(JsonText.write(json), StandardCharsets.UTF_8), InputFormat.JSON)
                .stream()
                .map(ValidationMessage::toString)
                .toList();
    }

    /// Fails if the reader takes a card that the schema refuses, or warns of a key that the schema knows.
    static void check(String text) {
        var report = Cards.read(text);
        var hasUnknownKey = report.problems().stream().anyMatch(SchemaAgreement::isOfUnknownKey);
        if (hasUnknownKey) {
            assertThat(objections(text)).as("the schema about\n%s", text).isNotEmpty();
        } else if (report.card().isPresent()) {
            assertThat(objections(text)).as("the schema about\n%s", text).isEmpty();
        }
    }

    private static boolean isOfUnknownKey(CardProblem problem) {
        return problem.message().contains("is not known and has no effect");
    }
}
