package dev.artel.card.read;

import dev.artel.card.yaml.TextPosition;
import dev.artel.card.yaml.YamlNode;
import dev.artel.card.yaml.YamlReader;
import dev.artel.json.JsonValue;
import dev.artel.kernel.job.BlueprintRef;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SequencedMap;

/// Reads the text of a card.
public final class CardReader {
    private static final int LONGEST_NAME = 100;
    private static final int DEEPEST = 10;

    /// Each takes some thirty times the room of its text.
    private static final int MOST_REFERENCES = 20_000;

    private final CardProblems problems;

    /// Whether the card was taken up earlier: what is asked of new ones alone is not asked of it.
    private final boolean isKept;

    private CardReader(CardProblems problems, boolean isKept) {
        this.problems = problems;
        this.isKept = isKept;
    }

    /// The card that `text` is; all that is wrong with it is added to `problems`.
    public static Optional<ParsedCard> read(String text, CardProblems problems) {
        return read(text, problems, false);
    }

    /// As [#read], of a card that was taken up earlier, when other bounds may have held: it has as many references as it likes, and a version
    /// that is none for new cards. How long the text is and how many values it has is bounded as ever.
    public static Optional<ParsedCard> readKept(String text, CardProblems problems) {
        return read(text, problems, true);
    }

    private static Optional<ParsedCard> read(String text, CardProblems problems, boolean isKept) {
        var tree = YamlReader.read(text);
        tree.problems().forEach(each -> problems.error(each.at(), "", each.message()));
        if (tree.root().isEmpty()) {
            if (tree.problems().isEmpty()) {
                problems.error(
                        TextPosition.START,
                        "",
                        "the card is empty; it needs 'metadata' and 'spec'");
            }
            return Optional.empty();
        }
        if (!(tree.root().get() instanceof YamlNode.Mapping root)) {
            problems.error(
                    tree.root().get().at(),
                    "",
                    "a card is a mapping with 'metadata' and 'spec', and this is "
                            + tree.root().get().kind());
            return Optional.empty();
        }
        var references = isKept ? 0 : references(root);
        if (references > MOST_REFERENCES) {
            problems.error(
                    TextPosition.START,
                    "",
                    "the card has "
                            + references
                            + " references, those of repeated anchors included; the most is "
                            + MOST_REFERENCES);
            return Optional.empty();
        }
        return new CardReader(problems, isKept).card(new CardFields(root, "", problems, false));
    }

    /// How often `node` and what it has begin a reference.
    private static long references(YamlNode node) {
        return switch (node) {
            case YamlNode.Mapping(var _, var members) -> {
                var sum = 0L;
                for (var member : members.sequencedValues()) {
                    sum += references(member.value());
                }
                yield sum;
            }
            case YamlNode.Sequence(var _, var items) -> {
                var sum = 0L;
                for (var item : items) {
                    sum += references(item);
                }
                yield sum;
            }
            case YamlNode.Scalar scalar -> references(scalar.text());
        };
    }

    private static long references(String text) {
        var count = 0L;
        for (var at = text.indexOf("${"); at >= 0; at = text.indexOf("${", at + 2)) {
            count++;
        }
        return count;
    }

    /// What `metadata` says.
    private record Head(String name, String version, CardFormat format) {}

    /// In place of one with problems.
    private static final Head UNKNOWN = new Head("card", "0", CardFormat.V1_0);

    private Optional<ParsedCard> card(CardFields root) {
        var metadata = root.object("metadata");
        var spec = root.object("spec");
        if (metadata.isEmpty()) {
            root.error("", "'metadata' is missing: {name: ..., version: ...}");
        }
        if (spec.isEmpty()) {
            root.error(
                    "",
                    "'spec' is missing: {variables: ..., steps: [...]}"
                            + (root.has("steps") ? "; 'steps' belongs under it" : ""));
        }
        constant(root, "apiVersion", "ai.team/v1");
        constant(root, "kind", "ProcessCard");
        root.end();
        var head = metadata.flatMap(this::head);
        // What is wrong with the steps is reported also where the card has no name or version.
        var known = head.orElse(UNKNOWN);
        var body = spec.flatMap(it -> body(it, known.name(), known.version(), known.format(), 0));
        return head.isPresent() ? body : Optional.empty();
    }

    private static void constant(CardFields root, String name, String only) {
        root.text(name)
                .filter(found -> !found.equals(only))
                .ifPresent(found ->
                        root.error(
                                name,
                                "it must be " + only + " where it is given, was '" + found + "'"));
    }

    private Optional<Head> head(CardFields metadata) {
        metadata.ignore("id", "description", "author", "created_at", "tags");
        var name = metadata.required("name", "the name of the process");
        var version = metadata.required("version", "the version of the card, such as 1.0.0");
        var format = format(metadata);
        metadata.end();
        var blueprint = name.map(text -> blueprintName(metadata, text));
        if (name.isPresent() && name.get().length() > LONGEST_NAME) {
            metadata.error("name", "it has at most " + LONGEST_NAME + " characters");
            return Optional.empty();
        }
        if (version.isPresent()
                && !version.get().matches("[0-9]+(\\.[0-9]+){0,2}(-[0-9A-Za-z.-]+)?")) {
            metadata.error("version", "it must be like 1.0 or 1.2.3, was '" + version.get() + "'");
            return Optional.empty();
        }
        if (!isKept
                && version.isPresent()
                && version.get().startsWith(BlueprintRef.PLANNED_VERSION)) {
            metadata.error(
                    "version",
                    "it must not begin with "
                            + BlueprintRef.PLANNED_VERSION
                            + ", as the versions of cards do that jobs bring along");
            return Optional.empty();
        }
        if (blueprint.isEmpty() || version.isEmpty() || format.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Head(blueprint.get(), version.get(), format.get()));
    }

    /// Blueprints have no blanks in their names.
    private static String blueprintName(CardFields metadata, String name) {
        var plain = name.strip().replaceAll("[^\\p{L}\\p{N}._-]+", "-").replaceAll("^-+|-+$", "");
        if (plain.isEmpty()) {
            metadata.error("name", "it has neither a letter nor a digit");
            return "?";
        }
        if (!plain.equals(name)) {
            metadata.warning(
                    "name",
                    "the card is known as '" + plain + "': letters, digits, '-', '_' and '.'");
        }
        return plain;
    }

    /// Without quotes 2.0 is a number; it is meant as it is written.
    private static Optional<CardFormat> format(CardFields metadata) {
        var text = metadata.text("spec_version").orElse(CardFormat.V1_0.version());
        for (var format : CardFormat.values()) {
            if (format.version().equals(text)) {
                return Optional.of(format);
            }
        }
        metadata.error(
                "spec_version",
                "the format '" + text + "' is not supported; there are 1.0 and 2.0");
        return Optional.empty();
    }

    private Optional<ParsedCard> body(
            CardFields strict, String name, String version, CardFormat format, int depth) {
        var spec = strict.lenient(strict.flag("lenient_templates").orElse(false));
        spec.hasNoEffect("decision_mode", "meeting_policy", "quality");
        var budget = spec.object("budget").map(CardBudgets::read);
        var variables = variables(spec);
        var maxDepth =
                spec.object("subprocess_config")
                        .map(config -> {
                            config.hasNoEffect("budget_inheritance");
                            var most = config.integer("max_depth", 0, DEEPEST);
                            config.end();
                            return most;
                        })
                        .orElse(OptionalInt.empty());
        var children = new ArrayList<ParsedCard>();
        var reader =
                new StepReader(
                        format,
                        (card, step) ->
                                inner(
                                        card,
                                        name + "." + step,
                                        version,
                                        format,
                                        depth + 1,
                                        children));
        var stepsPath = spec.path("steps");
        var steps = reader.steps(spec.objects("steps"), stepsPath);
        spec.end();
        if (spec.list("steps").orElse(List.of()).isEmpty()) {
            spec.error("steps", "there are no steps; a card has at least one");
            return Optional.empty();
        }
        if (steps.isEmpty()) {
            return Optional.empty();
        }
        var card = new ParsedCard(name, version, variables, steps, maxDepth, budget, children);
        CardFlow.check(steps, stepsPath, problems);
        CardVariables.check(card, stepsPath, problems);
        CardSecrets.check(card, stepsPath, problems);
        return Optional.of(card);
    }

    private Optional<String> inner(
            CardFields fields,
            String name,
            String version,
            CardFormat format,
            int depth,
            List<ParsedCard> children) {
        fields.ignore("id");
        if (depth > DEEPEST) {
            fields.error("", "cards are nested too deep; the most is " + DEEPEST);
            return Optional.empty();
        }
        return body(fields, name, version, format, depth)
                .map(card -> {
                    children.add(card);
                    return card.name();
                });
    }

    private static SequencedMap<String, JsonValue> variables(CardFields spec) {
        var variables = new LinkedHashMap<String, JsonValue>();
        var declared = spec.object("variables");
        if (declared.isEmpty()) {
            return variables;
        }
        for (var name : declared.get().names()) {
            declared.get().ignore(name);
            if (CardVariables.isBuiltIn(name)) {
                declared.get()
                        .error(
                                name,
                                "the name is taken: the orchestrator sets '" + name + "' itself");
            } else if (!name.matches("[\\p{L}_][\\p{L}\\p{N}_-]*")) {
                declared.get()
                        .error(
                                name,
                                "the name of a variable has letters, digits, '-' and '_' alone");
            } else {
                variables.put(name, declared.get().json(name));
            }
        }
        return variables;
    }
}
