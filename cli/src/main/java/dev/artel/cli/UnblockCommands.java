package dev.artel.cli;

import dev.artel.json.ForeignDecimal;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The commands with which a person lets a job go on, made from its explanation. What the person has to fill in stands in capitals.
final class UnblockCommands {
    private static final int MOST = 20;
    private static final Pattern LIMIT = Pattern.compile("[a-z_]{1,40}");
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:@%+=,-]+");

    private final String job;
    private final List<String> selection;
    private final List<String> commands = new ArrayList<>();

    private UnblockCommands(String job, List<String> selection) {
        this.job = job;
        this.selection = selection;
    }

    /// The first 20, ready for a shell; empty if nobody need do anything.
    ///
    /// @param selection the options that select the orchestrator
    static List<String> of(String job, JsonObject explanation, List<String> selection) {
        var it = new UnblockCommands(job, selection);
        objects(explanation).forEach(it::add);
        return it.commands.stream().limit(MOST).toList();
    }

    private static List<JsonObject> objects(JsonObject explanation) {
        return explanation.array("waits").map(JsonArray::values).orElse(List.of()).stream()
                .filter(JsonObject.class::isInstance)
                .map(JsonObject.class::cast)
                .toList();
    }

    private void add(JsonObject wait) {
        switch (wait.string("for").orElse("")) {
            case "approval" -> choices(wait, "approve", "approval", "CHOICE");
            case "answer" -> choices(wait, "answer", "question", "ANSWER");
            case "resolution" ->
                    number(wait, "task")
                            .forEach(task -> {
                                command("job", "resolve", job, task, "happened");
                                command("job", "resolve", job, task, "did_not_happen");
                                command("job", "resolve", job, task, "failed");
                            });
            case "signal" ->
                    wait.string("signal")
                            .ifPresent(name -> {
                                if (isOption(name)) {
                                    command("job", "signal", List.of(job, name));
                                } else {
                                    command("job", "signal", job, name);
                                }
                            });
            case "person" -> {
                command("quarantine", "retry", job);
                command("quarantine", "release", job);
                command("quarantine", "discard", job, "--reason", "TEXT");
            }
            case "pause" -> command("job", "resume", job);
            case "budget" -> wait.object("missing").ifPresent(this::extend);
            case "child" ->
                    wait.string("child_job_id")
                            .filter(child -> !isOption(child))
                            .ifPresent(child -> command("job", "explain", child));
            default -> {
                // nothing that a person does about the job here
            }
        }
    }

    private void choices(JsonObject wait, String act, String member, String anything) {
        var choices =
                wait.array("choices").map(JsonArray::values).orElse(List.of()).stream()
                        .map(UnblockCommands::text)
                        .toList();
        for (var number : number(wait, member)) {
            for (var choice : choices.isEmpty() ? List.of(anything) : choices) {
                if (isOption(choice)) {
                    command("job", act, List.of(job, choice), "--number", number);
                } else {
                    command("job", act, job, choice, "--number", number);
                }
            }
        }
    }

    private void extend(JsonObject missing) {
        var words = new ArrayList<>(List.of("job", "extend", job));
        missing.members()
                .forEach((limit, least) -> {
                    if (!LIMIT.matcher(limit).matches()) {
                        return;
                    }
                    words.add("--" + limit.replace('_', '-'));
                    var amount = text(least);
                    words.add(ForeignDecimal.of(amount).signum() == 0 ? "AMOUNT" : amount);
                });
        command(words.toArray(String[]::new));
    }

    private static String text(JsonValue choice) {
        return choice instanceof JsonString(var plain) ? plain : choice.toString();
    }

    /// One or none.
    private static List<String> number(JsonObject wait, String member) {
        return wait.number(member)
                .map(it -> List.of(String.valueOf(it.asLong())))
                .orElse(List.of());
    }

    /// Whether the command line would take a word of others for an option, such as one that sends the token elsewhere.
    private static boolean isOption(String word) {
        return word.startsWith("-");
    }

    private void command(String... words) {
        var all = new ArrayList<>(List.of(words));
        all.addAll(selection);
        add(all);
    }

    /// With `words` behind all options.
    private void command(String group, String act, List<String> words, String... options) {
        var all = new ArrayList<>(List.of(group, act));
        all.addAll(List.of(options));
        all.addAll(selection);
        all.add("--");
        all.addAll(words);
        add(all);
    }

    private void add(List<String> words) {
        commands.add(
                "artel "
                        + words.stream()
                                .map(UnblockCommands::quoted)
                                .collect(Collectors.joining(" ")));
    }

    /// The command line reads a file in place of a word such as `@name`, and takes `@@name` for that word.
    private static String quoted(String given) {
        var word = given.startsWith("@") ? "@" + given : given;
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
