package dev.artel.simulation.random;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.approval.Approvers;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.StepHandler;
import dev.artel.kernel.branch.JoinPolicy;
import dev.artel.kernel.budget.Budget;
import dev.artel.kernel.guard.Guards;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.Rate;
import dev.artel.kernel.task.RetryPolicy;
import dev.artel.kernel.task.TaskLimits;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.simulation.function.ScenarioFunctions;
import dev.artel.simulation.world.ScriptedNames;
import dev.artel.simulation.world.Trait;
import dev.artel.simulation.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SequencedSet;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/// Definitions of jobs, drawn at random. A state leads only to states behind it, or now and then to itself, so that every
/// job ends.
final class RandomBlueprints {
    /// The task types that there are.
    static final List<String> TYPES = List.of("cut", "dry", "fold");

    /// The word of a worker that a state may have no answer to.
    static final String OTHER_STATUS = "other";

    private static final String DONE = "done";
    private static final String BAD = "bad";
    private static final String COMPENSATION = "compensation";
    private static final String COMPENSATION_COMPLETED = "compensated";

    private final World world;

    RandomBlueprints(World world) {
        this.world = world;
    }

    /// How many definitions there are; one runs those behind it, and at times itself.
    private static final int COUNT = 3;

    /// How many children all jobs together start. Where each of ten generations starts several, such trees would end, but not
    /// soon.
    private static final int MOST_CHILDREN = 1_000;

    private int number;
    private long runs;
    private int children;

    private record Plan(String name, StepHandler handler, SequencedSet<String> next) {}

    Blueprint draw(String name, int index) {
        number = index;
        var branches = world.has(Trait.FORK) ? drawBranches() : List.<Plan>of();
        var main = new ArrayList<Plan>();
        var count = (int) world.between(1, 5);
        var later = new ArrayList<>(List.of(DONE));
        for (var i = count - 1; i >= 0; i--) {
            main.addFirst(drawMain("m" + i, later, branches, i == 0));
            later.addFirst("m" + i);
        }
        return build(name, main, branches);
    }

    private Blueprint build(String name, List<Plan> main, List<Plan> branches) {
        var builder = Blueprint.named(name);
        builder.guards(guards());
        if (world.has(Trait.BUDGETS) && world.random(Trait.BUDGETS).nextInt(4) > 0) {
            builder.budget(budget());
        }
        var used = new LinkedHashSet<String>();
        for (var plan : main) {
            if (used.isEmpty()) {
                builder.start(plan.name(), plan.handler());
            } else {
                builder.state(plan.name(), plan.handler());
            }
            builder.leadingTo(plan.next().toArray(String[]::new));
            makePure(builder);
            limit(builder);
            used.addAll(plan.next());
        }
        for (var plan : branches) {
            builder.state(plan.name(), plan.handler());
            builder.leadingTo(plan.next().toArray(String[]::new));
            makePure(builder);
            limit(builder);
            used.addAll(plan.next());
        }
        if (used.contains(COMPENSATION)) {
            var plan = compensation();
            builder.state(plan.name(), plan.handler());
            builder.leadingTo(COMPENSATION_COMPLETED);
            var ended = endOfBranch(COMPENSATION_COMPLETED);
            builder.state(ended.name(), ended.handler());
        }
        builder.end(DONE);
        if (used.contains(BAD)) {
            builder.failedEnd(BAD);
        }
        return builder.build();
    }

    /// One that jobs keep to, or one that is soon spent.
    private Budget budget() {
        var random = world.random(Trait.BUDGETS);
        var money = Budget.ofUsd("" + random.nextInt(1, 40));
        return random.nextInt(3) == 0 ? money.withCalls(random.nextInt(1, 20)) : money;
    }

    private Guards guards() {
        var guards = Guards.DEFAULTS;
        if (world.has(Trait.CHILDREN)) {
            guards =
                    guards.withTreeSteps(
                                    (int)
                                            (world.chance(0.25)
                                                    ? world.between(10, 100)
                                                    : world.between(100, 1_000)))
                            .withTreeDepth((int) world.between(2, 5));
        }
        if (!world.has(Trait.GUARDS)) {
            return guards;
        }
        guards =
                guards.withHandlerRetry(retry())
                        .withHandlerTime(Duration.ofMillis(world.between(500, 20_000)));
        if (world.chance(0.5)) {
            guards = guards.withTransitions((int) world.between(3, 40));
        }
        return world.chance(0.3) ? guards.withHistory((int) world.between(10, 200)) : guards;
    }

    private void limit(Blueprint.Builder builder) {
        if (world.has(Trait.GUARDS) && world.chance(0.3)) {
            builder.retry(retry());
        }
        if (world.has(Trait.GUARDS) && world.chance(0.2)) {
            builder.handlerTime(Duration.ofMillis(world.between(500, 20_000)));
        }
    }

    private void makePure(Blueprint.Builder builder) {
        if (world.has(Trait.PURE_STATES) && world.chance(0.7)) {
            builder.pure();
        }
    }

    private Plan drawMain(String name, List<String> later, List<Plan> branches, boolean first) {
        // The first state forks if any does, so that every branch can be reached.
        if (first && !branches.isEmpty()) {
            return fork(name, later, branches);
        }
        if (runsOthers() && world.chance(0.35)) {
            return child(name, later);
        }
        if (runsMany() && world.chance(0.35)) {
            return children(name, later);
        }
        if (world.has(Trait.GUARDS) && world.chance(0.3)) {
            return loop(name, later);
        }
        if (world.has(Trait.NEW_RUNS) && world.chance(0.3)) {
            return newRun(name, later);
        }
        var more = world.has(Trait.FAN_OUT) && world.has(Trait.RESOLUTION) ? 4 : 0;
        return switch ((int) world.between(0, 9 + more)) {
            case 0 -> move(name, later);
            case 1 -> world.has(Trait.WAIT) ? waiting(name, later) : task(name, later);
            case 2, 3, 10, 11, 12, 13 ->
                    world.has(Trait.FAN_OUT) ? fanOut(name, later) : task(name, later);
            case 4 -> branches.isEmpty() ? task(name, later) : fork(name, later, branches);
            case 5 -> world.chance(0.2) ? finish(name, later) : task(name, later);
            case 8 -> world.has(Trait.SIGNALS) ? signal(name, later) : task(name, later);
            case 9 -> world.has(Trait.APPROVALS) ? approval(name, later) : task(name, later);
            default -> task(name, later);
        };
    }

    /// The last definition has none behind it, and seldom runs itself: such trees end at their limits.
    private boolean runsOthers() {
        return world.has(Trait.CHILDREN) && (number < COUNT - 1 || world.chance(0.1));
    }

    private boolean runsMany() {
        return world.has(Trait.MANY_CHILDREN) && number < COUNT - 1;
    }

    private List<Plan> drawBranches() {
        var plans = new ArrayList<Plan>();
        var later = new ArrayList<String>();
        var count = (int) world.between(1, 4);
        for (var i = count - 1; i >= 0; i--) {
            var name = "b" + i;
            var plan =
                    later.isEmpty()
                            ? endOfBranch(name)
                            : switch ((int) world.between(0, 8)) {
                                case 8 -> runsOthers() ? child(name, later) : task(name, later);
                                case 7 -> runsMany() ? children(name, later) : task(name, later);
                                case 0 -> move(name, later);
                                case 1 ->
                                        world.has(Trait.WAIT)
                                                ? waiting(name, later)
                                                : task(name, later);
                                case 2 ->
                                        world.has(Trait.FAN_OUT)
                                                ? fanOut(name, later)
                                                : task(name, later);
                                case 3 -> fork(name, later, List.copyOf(plans));
                                case 4 ->
                                        world.has(Trait.SIGNALS)
                                                ? signal(name, later)
                                                : task(name, later);
                                case 5 ->
                                        world.has(Trait.APPROVALS)
                                                ? approval(name, later)
                                                : task(name, later);
                                default -> task(name, later);
                            };
            plans.addFirst(plan);
            later.addFirst(name);
        }
        return plans;
    }

    /// The next state is always among them, so that all can be reached.
    private SequencedSet<String> some(List<String> later) {
        var chosen = new LinkedHashSet<String>();
        chosen.add(later.getFirst());
        if (world.chance(0.4)) {
            chosen.add(world.pick(later));
        }
        return chosen;
    }

    private Plan move(String name, List<String> later) {
        var next = some(later);
        var targets = List.copyOf(next);
        return new Plan(
                name, _ -> Action.transitionTo(world.pick(targets)).with(changes(name)), next);
    }

    private Plan loop(String name, List<String> later) {
        var next = some(later);
        var target = next.getFirst();
        next.add(name);
        return new Plan(
                name,
                _ ->
                        world.chance(0.9)
                                ? Action.waitFor(Duration.ofMillis(world.between(0, 1_000)), name)
                                : Action.transitionTo(target),
                next);
    }

    /// Now and then the job begins again where it began.
    private Plan newRun(String name, List<String> later) {
        var next = some(later);
        var target = next.getFirst();
        next.add("m0");
        return new Plan(
                name,
                _ ->
                        world.chance(0.4)
                                ? Action.continueAsNew(
                                        "m0", JsonObject.of("run", JsonValue.of(++runs)))
                                : Action.transitionTo(target),
                next);
    }

    private Plan waiting(String name, List<String> later) {
        var next = some(later);
        var target = next.getFirst();
        return new Plan(
                name,
                _ ->
                        world.chance(0.7)
                                ? Action.waitFor(
                                        Duration.ofMillis(world.between(0, 20_000)), target)
                                : Action.waitUntil(
                                        world.now().plusMillis(world.between(-5_000, 20_000)),
                                        target),
                next);
    }

    private Plan signal(String name, List<String> later) {
        var next = some(later);
        var target = next.getFirst();
        var late = next.getLast();
        var timed = world.chance(0.5);
        return new Plan(
                name,
                _ -> {
                    var wait = Action.awaitSignal(world.pick(ScriptedNames.SIGNALS), target);
                    return timed ? wait.within(aMoment(), late) : wait;
                },
                next);
    }

    private Plan approval(String name, List<String> later) {
        var next = some(later);
        var choices =
                Outcomes.on(ScriptedNames.YES, next.getFirst())
                        .and(ScriptedNames.NO, next.getLast());
        var late = next.getLast();
        var timed = world.chance(0.5);
        var approvers = world.chance(0.3) ? Approvers.groups("people") : Approvers.ANYBODY;
        return new Plan(
                name,
                _ -> {
                    var wait =
                            Action.awaitApproval("may " + name + " be left?", choices)
                                    .by(approvers);
                    return timed ? wait.within(aMoment(), late) : wait;
                },
                next);
    }

    private Duration aMoment() {
        return Duration.ofMillis(world.between(0, 20_000));
    }

    private Plan finish(String name, List<String> later) {
        return new Plan(
                name,
                _ ->
                        world.chance(0.5)
                                ? new Action.Finish(
                                        new JobOutcome.Finished(Payload.of(JsonValue.of(1L))),
                                        JobData.EMPTY)
                                : Action.transitionTo(later.getFirst()),
                some(later));
    }

    private Plan endOfBranch(String name) {
        return new Plan(
                name,
                _ -> world.chance(0.8) ? Action.endBranch() : Action.failBranch("no luck"),
                new LinkedHashSet<>());
    }

    private Plan task(String name, List<String> later) {
        var next = some(later);
        var on = Outcomes.on("success", next.getFirst());
        if (world.chance(0.5)) {
            on = on.and(OTHER_STATUS, next.getLast());
        }
        if (world.chance(0.5)) {
            on = on.and(Outcomes.FAILED, failureTarget(next, later));
        }
        if (world.chance(0.2)) {
            on = on.and(Outcomes.TIMEOUT, failureTarget(next, later));
        }
        if (world.chance(0.2)) {
            on = on.and(Outcomes.CANCELLED, failureTarget(next, later));
        }
        if (world.has(Trait.ONCE_ONLY) && world.chance(0.3)) {
            on = on.and(Outcomes.UNKNOWN, failureTarget(next, later));
        }
        var outcomes = on;
        var compensate = compensate(next);
        return new Plan(
                name,
                _ -> compensate.apply(Action.dispatch(spec(), outcomes)).with(changes(name)),
                next);
    }

    /// How something is compensated, if it is; `next` gets the state that does it.
    private UnaryOperator<Action> compensate(SequencedSet<String> next) {
        if (!world.has(Trait.COMPENSATION) || world.chance(0.4)) {
            return action -> action;
        }
        if (world.chance(0.6)) {
            return action -> action.compensatedBy(spec());
        }
        next.add(COMPENSATION);
        return action -> action.compensatedBy(COMPENSATION);
    }

    private Plan compensation() {
        var next = new LinkedHashSet<>(List.of(COMPENSATION_COMPLETED));
        var on =
                Outcomes.on("success", COMPENSATION_COMPLETED)
                        .and(OTHER_STATUS, COMPENSATION_COMPLETED);
        return new Plan(
                COMPENSATION,
                _ -> world.chance(0.5) ? Action.endBranch() : Action.dispatch(spec(), on),
                next);
    }

    private Plan child(String name, List<String> later) {
        var next = some(later);
        var blueprint = childOf();
        var action =
                world.chance(0.25)
                        ? Action.startBlueprint(blueprint, JsonObject.EMPTY, next.getFirst())
                        : Action.runBlueprint(
                                blueprint,
                                JsonObject.EMPTY,
                                Outcomes.on(Outcomes.FINISHED, next.getFirst()));
        if (world.chance(0.5)) {
            action = action.otherwise(failureTarget(next, later));
        }
        if (world.chance(0.3) && action.mode().isAwaited()) {
            action = action.failingWhenQuarantined();
        }
        if (world.chance(0.2)) {
            action = action.within(Duration.ofMillis(world.between(1, 60_000)));
        }
        if (world.chance(0.2)) {
            action = action.withSteps((int) world.between(1, 20));
        }
        var complete = compensate(next).apply(action.as(name));
        var instead = Action.transitionTo(next.getFirst());
        return new Plan(name, _ -> mayStart(1) ? complete : instead, next);
    }

    private Plan children(String name, List<String> later) {
        var next = some(later);
        var join = next.getFirst();
        var otherwise =
                world.chance(0.4) ? Optional.of(world.pick(later)) : Optional.<String>empty();
        otherwise.ifPresent(next::add);
        var blueprint = childOf();
        var window = (int) world.between(1, 3);
        var isImpatient = world.chance(0.4);
        var steps =
                world.chance(0.3)
                        ? OptionalInt.of((int) world.between(1, 20))
                        : OptionalInt.empty();
        var compensate = compensate(next);
        return new Plan(
                name,
                _ -> {
                    var drawn = (int) world.between(0, 4);
                    var count = mayStart(drawn) ? drawn : 0;
                    var data =
                            IntStream.range(0, count)
                                    .mapToObj(i -> JsonObject.of("item", JsonValue.of(i)))
                                    .toList();
                    var action =
                            Action.runBlueprints(blueprint, data, join)
                                    .withWindow(window)
                                    .withPolicy(policy(count))
                                    .each(run -> isImpatient ? run.failingWhenQuarantined() : run)
                                    .each(run ->
                                            steps.isPresent()
                                                    ? run.withSteps(steps.getAsInt())
                                                    : run);
                    return compensate.apply(
                            otherwise.isPresent() ? action.otherwise(otherwise.get()) : action);
                },
                next);
    }

    private boolean mayStart(int more) {
        children += more;
        return children <= MOST_CHILDREN;
    }

    private String childOf() {
        if (world.has(Trait.FUNCTIONS) && world.random(Trait.FUNCTIONS).nextInt(3) == 0) {
            return ScenarioFunctions.NAMES.get(world.random(Trait.FUNCTIONS).nextInt(2));
        }
        return "bp" + Math.min(COUNT - 1, number + (world.chance(0.1) ? 0 : 1));
    }

    private String failureTarget(SequencedSet<String> next, List<String> later) {
        var target = world.chance(0.3) && later.contains(DONE) ? BAD : world.pick(later);
        next.add(target);
        return target;
    }

    private Plan fanOut(String name, List<String> later) {
        var next = some(later);
        var join = next.getFirst();
        var otherwise =
                world.chance(world.has(Trait.RESOLUTION) ? 0.1 : 0.4)
                        ? Optional.of(world.pick(later))
                        : Optional.<String>empty();
        otherwise.ifPresent(next::add);
        var window = (int) world.between(1, 6);
        var most = world.chance(0.1) ? 30 : 6;
        var compensate = compensate(next);
        return new Plan(
                name,
                _ -> {
                    var count = (int) world.between(0, most);
                    var specs = IntStream.range(0, count).mapToObj(_ -> fragile()).toList();
                    return compensate.apply(
                            new Action.DispatchParallel(
                                    specs, window, policy(count), join, otherwise, JobData.EMPTY));
                },
                next);
    }

    /// What people may have to recover fails often.
    private TaskSpec fragile() {
        return world.has(Trait.RESOLUTION) && world.chance(0.5)
                ? spec().withRetry(RetryPolicy.NEVER)
                : spec();
    }

    private Plan fork(String name, List<String> later, List<Plan> branches) {
        var next = some(later);
        var join = next.getFirst();
        var otherwise =
                world.chance(0.4) ? Optional.of(world.pick(later)) : Optional.<String>empty();
        otherwise.ifPresent(next::add);
        var starts = new ArrayList<String>();
        starts.add(branches.getFirst().name());
        for (var i = world.between(0, 2); i > 0; i--) {
            starts.add(world.pick(branches).name());
        }
        next.addAll(starts);
        var action = Action.fork(starts, join).withPolicy(policy(starts.size()));
        var complete = otherwise.isPresent() ? action.otherwise(otherwise.get()) : action;
        return new Plan(name, _ -> complete, next);
    }

    private JoinPolicy policy(int count) {
        if (world.has(Trait.RESOLUTION) && world.chance(0.4)) {
            return JoinPolicy.ALL;
        }
        return switch ((int) world.between(0, 3)) {
            case 0 -> JoinPolicy.ALL;
            case 1 -> JoinPolicy.FAIL_FAST;
            case 2 -> JoinPolicy.SETTLED;
            default -> JoinPolicy.atLeast(1 + world.random().nextInt(Math.max(1, count)));
        };
    }

    private RetryPolicy retry() {
        return new RetryPolicy(
                (int) world.between(1, 3),
                Duration.ofMillis(world.between(0, 2_000)),
                2,
                Duration.ofSeconds(10),
                world.random().nextDouble());
    }

    private TaskSpec spec() {
        var spec = priced(unlimited());
        if (!world.has(Trait.SHARED_LIMITS) || world.chance(0.3)) {
            return spec;
        }
        var limited = spec.limitedBy("tenant:" + world.between(0, 2), (int) world.between(1, 3));
        var rate = Rate.of((int) world.between(1, 5), Duration.ofMillis(world.between(100, 2_000)));
        return world.chance(0.3) ? limited.limitedBy("mail", rate) : limited;
    }

    private TaskSpec priced(TaskSpec task) {
        return world.has(Trait.BUDGETS) && world.random(Trait.BUDGETS).nextInt(3) > 0
                ? task.withCost("" + world.random(Trait.BUDGETS).nextInt(3))
                : task;
    }

    private TaskSpec unlimited() {
        var retry = retry();
        var deadline =
                world.has(Trait.DISPATCH_DEADLINES) && world.chance(0.5)
                        ? Optional.of(Duration.ofMillis(world.between(1, 60_000)))
                        : Optional.<Duration>empty();
        var spec =
                new TaskSpec(
                        world.pick(TYPES),
                        Payload.of(JsonObject.of("n", JsonValue.of(world.between(0, 99)))),
                        new TaskLimits(
                                retry,
                                (int) world.between(1, 4),
                                deadline,
                                Duration.ofMillis(world.between(5_000, 120_000))));
        if (world.has(Trait.ONCE_ONLY) && world.chance(0.5)) {
            return spec.notIdempotent();
        }
        return world.has(Trait.HEDGING) && world.chance(0.6)
                ? spec.hedgedAfter(Duration.ofMillis(world.between(10, 4_000)))
                : spec;
    }

    private JsonObject changes(String name) {
        return JsonObject.of(name, JsonValue.of(world.between(0, 9)));
    }
}
