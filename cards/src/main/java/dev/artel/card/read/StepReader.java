package dev.artel.card.read;

import dev.artel.card.condition.ConditionTranslator;
import dev.artel.card.step.CardLoop;
import dev.artel.card.step.CardStep;
import dev.artel.card.step.CompleteStatus;
import dev.artel.card.step.OnFailure;
import dev.artel.card.step.QualityCheck;
import dev.artel.card.step.ReplanRights;
import dev.artel.card.step.StepCompensation;
import dev.artel.card.step.StepHead;
import dev.artel.card.step.StepTarget;
import dev.artel.card.template.Template;
import dev.artel.card.template.ValuePath;
import dev.artel.card.yaml.YamlNode;
import dev.artel.kernel.blueprint.MissingValue;
import dev.artel.kernel.branch.Signals;
import dev.artel.kernel.placement.Requirements;
import dev.artel.kernel.placement.Selector;
import dev.artel.kernel.task.RetryPolicy;
import dev.artel.kernel.task.TaskLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Reads steps.
final class StepReader {
    private static final Duration STEP_TIMEOUT = Duration.ofMinutes(5);
    private static final Duration SUBPROCESS_TIMEOUT = Duration.ofMinutes(10);
    private static final Duration RETRY_DELAY = Duration.ofSeconds(5);
    private static final int MOST_ATTEMPTS = 10;
    private static final int MOST_LOST = 1_000;
    private static final int MOST_ROUNDS = 10;
    private static final int MOST_AT_ONCE = 100;
    private static final int LONGEST_ID = 50;
    private static final int LONGEST_ACTION = 100;

    private final CardFormat format;
    private final InnerCards inner;

    /// Reads a card that is written inside a step.
    interface InnerCards {
        /// The name of the blueprint of `card`, which step `step` runs.
        Optional<String> read(CardFields card, String step);
    }

    StepReader(CardFormat format, InnerCards inner) {
        this.format = format;
        this.inner = inner;
    }

    private enum Kind {
        ACTION,
        CONDITION,
        COMPLETE,
        WAIT,
        HUMAN_CHECKPOINT,
        PARALLEL,
        SUBPROCESS,
        SUBPROCESS_LOOP,
        REPLAN
    }

    private static final SequencedSet<String> TYPES =
            Stream.of(Kind.values())
                    .map(each -> each.name().toLowerCase(Locale.ROOT))
                    .collect(Collectors.toCollection(LinkedHashSet::new));

    /// The steps of a list.
    List<CardStep> steps(List<CardFields> items, String path) {
        var steps = new ArrayList<CardStep>();
        for (var item : items) {
            var id = id(item);
            var fields = id.isEmpty() ? item : item.at(path + "." + id.get());
            step(fields, id.orElse("?")).ifPresent(steps::add);
            fields.end();
        }
        return steps;
    }

    private static Optional<String> id(CardFields fields) {
        var id = fields.required("id", "the name of the step, unique in its card");
        if (id.isPresent() && !id.get().matches("[\\p{L}\\p{N}_-]{1," + LONGEST_ID + "}")) {
            fields.error(
                    "id",
                    "the name of a step has 1 to "
                            + LONGEST_ID
                            + " letters, digits, '-' or '_', was '"
                            + id.get()
                            + "'");
            return Optional.empty();
        }
        return id;
    }

    private Optional<CardStep> step(CardFields fields, String id) {
        fields.ignore("id", "description", "name");
        var kind = kind(fields);
        if (kind.isEmpty()) {
            return Optional.empty();
        }
        var head =
                new StepHead(
                        id,
                        fields.at(),
                        target(fields, "next"),
                        fields.texts("depends_on").stream()
                                .map(each -> new StepTarget(each.text(), each.at()))
                                .toList());
        return switch (kind.get()) {
            case ACTION -> action(fields, head);
            case CONDITION -> condition(fields, head);
            case COMPLETE -> Optional.of(complete(fields, head));
            case WAIT -> wait(fields, head);
            case HUMAN_CHECKPOINT -> human(fields, head);
            case PARALLEL -> parallel(fields, head);
            case SUBPROCESS -> subprocess(fields, head, false);
            case SUBPROCESS_LOOP -> subprocess(fields, head, true);
            case REPLAN -> replan(fields, head);
        };
    }

    private static Optional<StepTarget> target(CardFields fields, String name) {
        var node = fields.node(name);
        return fields.text(name)
                .map(id -> new StepTarget(id, node.map(YamlNode::at).orElse(fields.at())));
    }

    private static Optional<Kind> kind(CardFields fields) {
        var type = fields.text("type");
        if (type.isPresent()) {
            var kind =
                    switch (type.get()) {
                        case "action", "execute" -> Kind.ACTION;
                        case "condition" -> Kind.CONDITION;
                        case "complete" -> Kind.COMPLETE;
                        case "wait" -> Kind.WAIT;
                        case "human_checkpoint" -> Kind.HUMAN_CHECKPOINT;
                        case "parallel" -> Kind.PARALLEL;
                        case "subprocess", "subprocess_ref" -> Kind.SUBPROCESS;
                        case "subprocess_loop" -> Kind.SUBPROCESS_LOOP;
                        case "replan" -> Kind.REPLAN;
                        default -> null;
                    };
            if (kind == null) {
                fields.error(
                        "type",
                        "there is no type '"
                                + type.get()
                                + "'; "
                                + MissingValue.nearest(type.get(), TYPES)
                                        .map(near -> "did you mean '" + near + "'?")
                                        .orElseGet(() -> "there are " + String.join(", ", TYPES)));
                // What they mean depends on the type.
                fields.ignore(fields.names().toArray(String[]::new));
            }
            return Optional.ofNullable(kind);
        }
        Kind found = null;
        if (fields.has("condition")) {
            found = Kind.CONDITION;
        } else if (fields.has("action")) {
            found = Kind.ACTION;
        } else if (fields.has("branches")) {
            found = Kind.PARALLEL;
        } else if (fields.has("loop")) {
            found = Kind.SUBPROCESS_LOOP;
        } else if (fields.has("subprocess_ref") || fields.has("subprocess")) {
            found = Kind.SUBPROCESS;
        } else if (fields.has("event") || fields.has("duration")) {
            found = Kind.WAIT;
        } else if (fields.has("message")) {
            found = Kind.HUMAN_CHECKPOINT;
        } else if (fields.has("result") || fields.has("status")) {
            found = Kind.COMPLETE;
        } else {
            fields.error(
                    "",
                    "it is not clear what this step does; give it a type, or one of action, condition, branches,"
                            + " subprocess_ref, event, duration, message, result");
        }
        return Optional.ofNullable(found);
    }

    private static Duration timeout(CardFields fields, Duration otherwise) {
        return limit(fields).orElse(otherwise);
    }

    private static Optional<Duration> limit(CardFields fields) {
        return fields.duration(fields.alias("timeout", "timeout_seconds"));
    }

    private static Optional<String> output(CardFields fields) {
        return fields.text("output")
                .filter(name -> {
                    var fits =
                            ValuePath.of(name).filter(path -> path.names().size() == 1).isPresent();
                    if (!fits) {
                        fields.error(
                                "output",
                                "it is the name of a variable: letters, digits, '-' and '_', was '"
                                        + name
                                        + "'");
                    }
                    if (name.equals(Template.SECRET)) {
                        fields.error(
                                "output",
                                "the name is taken: '${" + name + ".NAME}' names a secret");
                    }
                    return fits;
                });
    }

    private Optional<CardStep> action(CardFields fields, StepHead head) {
        var action = action(fields);
        var retry = fields.object("retry");
        var step =
                new CardStep.CallAction(
                        head,
                        action.orElse("?"),
                        fields.templates("params"),
                        output(fields),
                        new TaskLimits(
                                retry.map(StepReader::retry).orElse(format.retry()),
                                retry.map(StepReader::maxLost)
                                        .orElse(TaskLimits.DEFAULTS.maxLost()),
                                Optional.empty(),
                                timeout(fields, STEP_TIMEOUT)),
                        onFailure(fields, retry),
                        fields.object("requirements")
                                .map(StepReader::requirements)
                                .orElse(Requirements.NOTHING),
                        quality(fields),
                        fields.object("compensation").flatMap(StepReader::compensation));
        retry.ifPresent(CardFields::end);
        return action.map(_ -> step);
    }

    private static Optional<String> action(CardFields fields) {
        return fields.required("action", "what a worker does, the name of its capability")
                .filter(name -> {
                    if (name.length() > LONGEST_ACTION) {
                        fields.error("action", "it has at most " + LONGEST_ACTION + " characters");
                    }
                    return name.length() <= LONGEST_ACTION;
                });
    }

    private static OnFailure onFailure(CardFields fields, Optional<CardFields> retry) {
        var own = fields.word("on_failure", OnFailure.class);
        var inRetry = retry.flatMap(each -> each.word("on_failure", OnFailure.class));
        return own.or(() -> inRetry).orElse(OnFailure.ABORT);
    }

    private static RetryPolicy retry(CardFields fields) {
        var attempts = fields.integer("max_attempts", 1, MOST_ATTEMPTS).orElse(3);
        var delay =
                fields.duration(fields.alias("delay", "delay_seconds", "backoff_seconds"))
                        .orElse(RETRY_DELAY);
        var factor =
                fields.number(fields.alias("backoff_multiplier", "multiplier"), 1, 5).orElse(1);
        var longest = fields.duration("max_delay").orElse(Duration.ofMinutes(5));
        return new RetryPolicy(
                attempts, delay, factor, longest.compareTo(delay) < 0 ? delay : longest, 0);
    }

    private static int maxLost(CardFields fields) {
        return fields.integer("max_lost", 1, MOST_LOST).orElse(TaskLimits.DEFAULTS.maxLost());
    }

    private static Requirements requirements(CardFields fields) {
        var found = Requirements.NOTHING;
        for (var capability : fields.texts("capabilities")) {
            // The action itself is asked for anyway.
            found = found.label(Selector.in("capability." + capability.text(), List.of("true")));
        }
        var constraints = fields.object("constraints");
        if (constraints.isPresent()) {
            found = constraints(constraints.get(), found);
        }
        fields.end();
        return found;
    }

    private static Requirements constraints(CardFields fields, Requirements before) {
        var found = before;
        for (var name : fields.names()) {
            var value = fields.node(name);
            if (value.isPresent() && value.get() instanceof YamlNode.Scalar scalar) {
                found = found.label(Selector.in(name, List.of(scalar.text())));
            } else if (value.isPresent()) {
                fields.error(
                        name, "a constraint is a label and its value, was " + value.get().kind());
            }
        }
        return found;
    }

    private static Optional<StepCompensation> compensation(CardFields fields) {
        var action = action(fields);
        var params = fields.templates("params");
        var timeout = timeout(fields, STEP_TIMEOUT);
        fields.end();
        return action.map(name -> new StepCompensation(name, params, timeout));
    }

    private static Optional<QualityCheck> quality(CardFields fields) {
        var isChecked = fields.flag("quality_check").orElse(false);
        var settings = fields.object("quality");
        var own = criteria(fields, "quality_criteria");
        if (!isChecked && settings.isEmpty()) {
            return Optional.empty();
        }
        var inner = settings.map(each -> criteria(each, "criteria")).orElse(List.of());
        var thresholds = settings.flatMap(each -> each.object("thresholds"));
        var check =
                new QualityCheck(
                        settings.flatMap(each -> each.text("action")).orElse("quality_check"),
                        weighted(inner.isEmpty() ? own : inner),
                        thresholds.map(each -> each.number("pass", 0, 1).orElse(0.9)).orElse(0.9),
                        thresholds
                                .map(each -> each.number("marginal", 0, 1).orElse(0.7))
                                .orElse(0.7),
                        settings.map(each ->
                                        each.integer("max_iterations", 1, MOST_ROUNDS).orElse(3))
                                .orElse(3),
                        settings.flatMap(each -> each.flag("retry_on_marginal")).orElse(false),
                        settings.map(each -> timeout(each, STEP_TIMEOUT)).orElse(STEP_TIMEOUT));
        thresholds.ifPresent(each -> {
            each.ignore("fail");
            each.end();
        });
        settings.ifPresent(CardFields::end);
        if (check.marginal() > check.pass()) {
            fields.error(
                    "quality",
                    "the threshold 'marginal' ("
                            + check.marginal()
                            + ") is above 'pass' ("
                            + check.pass()
                            + ")");
        }
        return Optional.of(check);
    }

    private static List<QualityCheck.QualityCriterion> criteria(CardFields fields, String name) {
        var criteria = new ArrayList<QualityCheck.QualityCriterion>();
        for (var item : fields.list(name).orElse(List.of())) {
            if (item instanceof YamlNode.Scalar scalar) {
                criteria.add(
                        new QualityCheck.QualityCriterion(
                                scalar.text(), new Template.Constant(scalar.json()), 0));
            }
        }
        if (!criteria.isEmpty()) {
            return criteria;
        }
        for (var each : fields.objects(name)) {
            var description = each.template("description");
            var weight = each.number("weight", 0, 1).orElse(0);
            each.required("name", "what is judged")
                    .ifPresent(text ->
                            criteria.add(
                                    new QualityCheck.QualityCriterion(
                                            text, description.orElse(Template.ofNull()), weight)));
            each.end();
        }
        return criteria;
    }

    /// Criteria without weights weigh the same.
    private static List<QualityCheck.QualityCriterion> weighted(
            List<QualityCheck.QualityCriterion> criteria) {
        var sum = criteria.stream().mapToDouble(QualityCheck.QualityCriterion::weight).sum();
        return criteria.stream()
                .map(each ->
                        new QualityCheck.QualityCriterion(
                                each.name(),
                                each.description(),
                                sum > 0 ? each.weight() / sum : 1.0 / criteria.size()))
                .toList();
    }

    private static Optional<CardStep> condition(CardFields fields, StepHead head) {
        var text = fields.required("condition", "what decides, such as ${review.score} >= 8");
        var then = target(fields, "then");
        var otherwise = target(fields, "else");
        if (then.isEmpty()) {
            fields.error("", "'then' is missing: the step that follows where the condition holds");
        }
        if (text.isEmpty() || then.isEmpty()) {
            return Optional.empty();
        }
        try {
            var translated = ConditionTranslator.translate(text.get(), CardVariables::inCel);
            return Optional.of(
                    new CardStep.Decide(
                            head,
                            text.get(),
                            translated.cel(),
                            translated.paths(),
                            then.get(),
                            otherwise));
        } catch (IllegalArgumentException wrong) {
            fields.error("condition", String.valueOf(wrong.getMessage()));
            return Optional.empty();
        }
    }

    private static CardStep complete(CardFields fields, StepHead head) {
        return new CardStep.Complete(
                head,
                fields.word("status", CompleteStatus.class).orElse(CompleteStatus.SUCCESS),
                fields.template("result"));
    }

    private static Optional<CardStep> replan(CardFields fields, StepHead head) {
        var card = fields.template("card");
        if (card.isEmpty()) {
            fields.error(
                    "",
                    "'card' is missing: the card with which the process goes on, such as ${plan.card}");
        }
        var rights = fields.object("allow").map(StepReader::rights).orElse(ReplanRights.DEFAULTS);
        var onFailure = onFailure(fields, Optional.empty());
        return card.map(it -> new CardStep.Replan(head, it, rights, onFailure));
    }

    private static ReplanRights rights(CardFields fields) {
        var actions = fields.texts("actions").stream().map(YamlNode.Scalar::text).toList();
        for (var action : actions) {
            if (!ReplanRights.OUTWARD.contains(action)) {
                fields.error(
                        "actions",
                        "'"
                                + action
                                + "' is none of the actions that have to be allowed, which are "
                                + String.join(", ", ReplanRights.OUTWARD)
                                + "; other types of tasks are in task_types");
            }
        }
        var types = fields.texts("task_types").stream().map(YamlNode.Scalar::text).toList();
        for (var type : types) {
            if (type.indexOf('*') >= 0 && type.indexOf('*') < type.length() - 1) {
                fields.error(
                        "task_types",
                        "'"
                                + type
                                + "' is neither a type of tasks nor how some begin with a * behind it, such as photo_*");
            }
        }
        var rights =
                new ReplanRights(
                        actions,
                        fields.has("task_types") ? types : ReplanRights.DEFAULTS.taskTypes(),
                        fields.flag("subprocesses").orElse(false));
        fields.end();
        return rights;
    }

    private static Optional<CardStep> wait(CardFields fields, StepHead head) {
        var event = fields.text("event");
        var duration = fields.template("duration");
        fields.ignore("wait_for");
        if (event.isPresent() == duration.isPresent()) {
            fields.error("", "a wait has one of 'event' and 'duration'");
            return Optional.empty();
        }
        if (duration.isPresent()) {
            if (duration.get() instanceof Template.Constant) {
                var _ = fields.duration("duration");
            }
            return Optional.of(new CardStep.Pause(head, duration.get()));
        }
        if (!Signals.isName(event.orElseThrow())) {
            fields.error(
                    "event",
                    "the name of an event has 1 to 100 letters, digits, '-', '_' or '.', was '"
                            + event.get()
                            + "'");
            return Optional.empty();
        }
        return Optional.of(
                new CardStep.AwaitEvent(
                        head,
                        event.get(),
                        output(fields),
                        limit(fields),
                        fields.word("on_timeout", OnFailure.class).orElse(OnFailure.ABORT)));
    }

    private static Optional<CardStep> human(CardFields fields, StepHead head) {
        var message = fields.required("message", "what a person is to decide");
        var template = fields.template("message");
        var step =
                new CardStep.AskHuman(
                        head,
                        template.orElse(Template.ofNull()),
                        output(fields),
                        limit(fields),
                        fields.word("on_timeout", OnFailure.class).orElse(OnFailure.ABORT),
                        fields.word("on_reject", OnFailure.class).orElse(OnFailure.ABORT));
        return message.map(_ -> step);
    }

    private Optional<CardStep> parallel(CardFields fields, StepHead head) {
        var branches = new ArrayList<List<CardStep>>();
        for (var item : fields.list("branches").orElse(List.of())) {
            var place = fields.path("branches[" + branches.size() + "]");
            if (item instanceof YamlNode.Sequence) {
                branches.add(steps(fields.items(item, place), place));
            } else {
                branches.add(
                        steps(
                                fields.items(
                                        new YamlNode.Sequence(item.at(), List.of(item)), place),
                                place));
            }
        }
        if (branches.isEmpty()) {
            fields.error("", "'branches' is missing: the steps that run at the same time");
            return Optional.empty();
        }
        return Optional.of(
                new CardStep.Together(
                        head,
                        branches,
                        required(fields, branches.size()),
                        output(fields),
                        fields.word("on_failure", OnFailure.class).orElse(OnFailure.ABORT)));
    }

    private static OptionalInt required(CardFields fields, int branches) {
        var word = fields.text("wait_for").orElse("all");
        if (word.equals("all")) {
            return OptionalInt.empty();
        }
        if (word.equals("any")) {
            return OptionalInt.of(1);
        }
        if (word.matches("[1-9]\\d{0,2}") && Integer.parseInt(word) <= branches) {
            return OptionalInt.of(Integer.parseInt(word));
        }
        fields.error(
                "wait_for",
                "it must be all, any or a number from 1 to " + branches + ", was '" + word + "'");
        return OptionalInt.empty();
    }

    private Optional<CardStep> subprocess(CardFields fields, StepHead head, boolean isLoop) {
        var card = fields.object("subprocess");
        var ref = fields.text(fields.alias("subprocess_ref", "ref", "card"));
        if (card.isPresent() == ref.isPresent()) {
            fields.error(
                    "",
                    "a subprocess has one of 'subprocess_ref' (a card) and 'subprocess' (its steps)");
            return Optional.empty();
        }
        fields.ignore("isolation");
        var blueprint =
                card.isPresent()
                        ? inner.read(card.get(), head.id())
                        : ref.map(StepReader::cardName);
        var inputs = inputs(fields);
        var loop = isLoop ? loop(fields) : Optional.<CardLoop>empty();
        if (isLoop && loop.isEmpty()) {
            return Optional.empty();
        }
        var output = output(fields);
        var timeout = timeout(fields, SUBPROCESS_TIMEOUT);
        var onFailure = onFailure(fields, Optional.empty());
        var version =
                ref.filter(text -> text.contains("@"))
                        .map(text -> text.substring(text.indexOf('@') + 1));
        return blueprint.map(name ->
                new CardStep.RunCard(
                        head,
                        name,
                        version,
                        card.isPresent(),
                        inputs,
                        output,
                        Optional.of(timeout),
                        onFailure,
                        loop));
    }

    /// The blueprint of `transport-notes.yaml` is `transport-notes`.
    private static String cardName(String ref) {
        return ref.replaceFirst("@.*", "")
                .replaceFirst(".*/", "")
                .replaceFirst("\\.(ya?ml|json)$", "");
    }

    private static SequencedMap<String, Template> inputs(CardFields fields) {
        var name = fields.alias("subprocess_inputs", "inputs");
        var inputs = new LinkedHashMap<String, Template>();
        if (fields.node(name).filter(YamlNode.Sequence.class::isInstance).isPresent()) {
            for (var each : fields.texts(name)) {
                var path = ValuePath.of(each.text());
                if (path.isPresent()) {
                    inputs.put(
                            path.get().names().getLast(),
                            new Template.Reference(path.get(), fields.isLenient()));
                } else {
                    fields.error(name, noVariable(each.text()));
                }
            }
            return inputs;
        }
        inputs.putAll(fields.templates(name).members());
        return inputs;
    }

    private static String noVariable(String text) {
        return ValuePath.tooManyNames(text)
                .orElseGet(() -> "'" + text + "' is no name of a variable");
    }

    private static Optional<CardLoop> loop(CardFields fields) {
        var loop = fields.object("loop");
        if (loop.isEmpty()) {
            fields.error("", "'loop' is missing: {count: 3} or {from_variable: items}");
            return Optional.empty();
        }
        var each = loop.get();
        var count = each.template("count");
        if (count.isPresent()
                && count.get() instanceof Template.Constant
                && each.integer("count", 0, 10_000).isEmpty()) {
            return Optional.empty();
        }
        var from =
                each.text("from_variable")
                        .flatMap(text -> {
                            var path = ValuePath.of(text.replaceFirst("^\\$\\{(.*)}$", "$1"));
                            if (path.isEmpty()) {
                                each.error("from_variable", noVariable(text));
                            }
                            return path;
                        });
        var atOnce = each.integer("max_parallel", 1, MOST_AT_ONCE).orElse(1);
        each.end();
        if (count.isPresent() == from.isPresent()) {
            each.error("", "a loop has one of 'count' and 'from_variable'");
            return Optional.empty();
        }
        return count.or(() -> from.map(path -> new Template.Reference(path, false)))
                .map(times -> new CardLoop(times, atOnce));
    }
}
