package dev.artel.simulation.world;

import java.util.SplittableRandom;

/// A kind of fault, or a feature that jobs and clients use. A scenario has some of them: with all of them at once,
/// one hides what another would show.
public enum Trait {
    /// The orchestrator dies between any two of its acts; what was not durable is lost.
    ORCHESTRATOR_CRASHES,
    /// Appends come to nothing.
    APPENDS_FAIL,
    /// Appends are durable, and the store does not report it.
    APPENDS_UNKNOWN,
    /// The first entries of a batch are durable, and the store does not report it; the others are not.
    BATCHES_TORN,
    /// The store takes no appends for a while, or takes them and does not report it; they are repeated.
    STORE_BUSY,
    /// The store has no room for a while.
    STORE_FULL,
    /// Reading a job fails.
    LOADS_FAIL,
    /// Messages between workers and orchestrator get lost.
    MESSAGES_LOST,
    /// Messages take very long, and overtake each other.
    MESSAGES_DELAYED,
    /// Messages arrive twice.
    MESSAGES_DOUBLED,
    /// A worker is cut off for a while.
    PARTITIONS,
    /// A worker's process dies and is started anew.
    WORKERS_CRASH,
    /// A worker stands still for a while and goes on as if nothing had happened.
    WORKERS_FREEZE,
    /// A worker stops on purpose: it cancels what it has and leaves, or drains.
    WORKERS_LEAVE,
    /// Workers are wrong about their load.
    LOADS_LIE,
    /// Attempts fail, or end with a word that nobody expects.
    TASKS_FAIL,
    /// Attempts go on forever.
    TASKS_HANG,
    /// Workers ignore cancels.
    CANCELS_IGNORED,
    /// Workers give tasks back unstarted.
    TASKS_RETURNED,
    /// Handlers throw.
    HANDLERS_FAIL,
    /// Handlers take long.
    HANDLERS_SLOW,
    /// The same step runs twice at a time.
    STEPS_TWICE,
    /// The wall clock jumps back and forth.
    CLOCK_JUMPS,
    /// The orchestrator is started without a definition, which comes later.
    DEFINITIONS_MISSING,
    /// The orchestrator's process stands still for a while and goes on as if nothing had happened.
    ORCHESTRATOR_STANDS_STILL,

    /// Clients name their submissions, and send them again under the same name.
    KEYS,
    /// Tasks share limits: how many are with workers at once, and how often one is given out.
    SHARED_LIMITS,
    /// Clients cancel jobs.
    CANCELS,
    /// Jobs dispatch many tasks at once.
    FAN_OUT,
    /// Jobs fork.
    FORK,
    /// Handlers that only compute run before what leads to them is durable.
    PURE_STATES,
    /// Jobs run others, and wait for them or not.
    CHILDREN,
    /// What jobs do can be compensated.
    COMPENSATION,
    /// Jobs wait.
    WAIT,
    /// Jobs wait for signals, which come early, late, twice or not at all.
    SIGNALS,
    /// Jobs wait for people, who decide in time or not, twice, or what is no choice.
    APPROVALS,
    /// Tasks must not be done twice.
    ONCE_ONLY,
    /// People recover quarantined jobs instead of giving them up.
    RESOLUTION,
    /// People take jobs back to where they were.
    REWINDS,
    /// People fork jobs off others, also off those that are over.
    FORKS,
    /// Tasks have a dispatch deadline.
    DISPATCH_DEADLINES,
    /// Jobs continue as new.
    NEW_RUNS,
    /// Jobs have a deadline.
    JOB_DEADLINES,
    /// Workers ask for several tasks at once.
    BATCH_POLLS,
    /// Hardly any job stays in memory.
    SMALL_ROOM,
    /// Folds of jobs are kept all the time, and jobs are read from them.
    KEPT_FOLDS,
    /// Jobs have priorities.
    PRIORITIES,
    /// Tasks that take long get a second worker.
    HEDGING,
    /// Blueprints allow their jobs little, and states lead back to themselves.
    GUARDS,
    /// Workers ask before they go on, and people answer, sometimes too late.
    QUESTIONS,
    /// Jobs have webhooks; some receivers never answer.
    WEBHOOKS,
    /// Jobs run many others of one blueprint, a few at a time.
    MANY_CHILDREN,
    /// The orchestrator's settings limit task types, blueprints and keys, and change.
    LIMITS_CONFIGURED,
    /// Several clients submit jobs, with weights; low priorities wait only a few turns.
    SEVERAL_CLIENTS,
    /// People pause jobs and resume them, and change their priorities and labels.
    PAUSES,
    /// Handlers hang: some end when they are interrupted, others much later, others never.
    HANDLERS_HANG,
    /// Half of the jobs are durable functions, and jobs of either kind run children of the other.
    FUNCTIONS,
    /// Tasks are pushed to some workers, over connections that break and are opened again; between them these workers poll.
    PUSHED,
    /// Somebody who holds no lease accepts, refuses, reports, renews and releases tasks of others, and tasks that there are not.
    STRANGERS,
    /// Jobs have budgets, and attempts cost something, which some workers report.
    BUDGETS,
    /// A third of the jobs are processes of random cards, which run others of them.
    CARDS,
    /// A worker gets its tasks over a broker, which loses none that it has, and never reports which of them it has. Its registration is not
    /// always kept.
    AGENTS,
    /// Now and then a second process is started under the name of a worker.
    TWINS;

    /// Whether it is a fault rather than a feature.
    public boolean isFault() {
        return compareTo(KEYS) < 0 || this == HANDLERS_HANG;
    }

    /// Whether a seed decides about it alone, so that it changes nothing else that a seed decides.
    boolean isDrawnAlone() {
        return compareTo(MANY_CHILDREN) > 0;
    }

    /// A stream of chance for `seed` that is nobody else's.
    SplittableRandom random(long seed) {
        return new SplittableRandom(seed * 0x9E3779B97F4A7C15L + name().hashCode());
    }
}
