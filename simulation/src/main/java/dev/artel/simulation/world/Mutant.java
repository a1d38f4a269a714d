package dev.artel.simulation.world;

import java.util.Set;

/// A bug that is planted on purpose, to see whether the simulation finds it.
public enum Mutant {
    /// Some steps that a job asks for are never run.
    LOST_WAKE_UP,
    /// The coordinator does not receive the end of some leases.
    LEAKED_SLOT,
    /// Steps run when their append is written, not when it is durable.
    STEP_BEFORE_COMMIT,
    /// Workers get tasks before their leases are durable.
    HAND_OUT_BEFORE_COMMIT,
    /// A report under an old lease counts as one under the current lease.
    STALE_LEASE_ACCEPTED,
    /// The outcome of a step is also taken for that of the step after it.
    STEP_APPLIED_TWICE,
    /// Clients are answered when their job is written, not when it is durable.
    ANSWER_BEFORE_DURABLE,
    /// The store reports that appends are durable before they are.
    ACKNOWLEDGED_BEFORE_SYNC,
    /// An append that failed is taken for durable.
    FAILURE_TAKEN_FOR_SUCCESS,
    /// The copy of an append that got through is written behind it.
    REPEATED_APPEND_WRITTEN_TWICE,
    /// Jobs are read again, and their finished handlers run again, when the store is only busy.
    HANDLERS_REPEATED_FOR_BUSY_STORE,
    /// Of the events behind a kept fold the first are taken for folded.
    KEPT_FOLD_STALE,
    /// A kept fold is taken for that of another job.
    KEPT_FOLD_MIXED_UP,
    /// What a job has learnt is left out where its fold is kept.
    KEPT_FOLD_WITHOUT_DATA,
    /// After a failed append what is still pending is not sent again.
    PENDING_NOT_REPEATED,
    /// Timers are not set again after a crash.
    TIMERS_DROPPED_ON_RECOVERY,
    /// Leases are not held again after a crash.
    LEASES_FORGOTTEN_ON_RECOVERY,
    /// Revoked leases are forgotten after a crash.
    LINGERING_FORGOTTEN_ON_RECOVERY,
    /// A grant of a job that cannot be read is neither decided nor given back.
    GRANT_WAITS_FOR_READING,
    /// Tasks whose leases are durable wait for the rest of their answer however long that takes.
    READY_HELD_BACK,
    /// The second copy of a report is written down as well.
    DUPLICATE_REPORT_APPLIED,
    /// A lost task is offered again as the attempt that was lost.
    REQUEUED_AS_SAME_ATTEMPT,
    /// The next task of a fan-out is not offered.
    WINDOW_NOT_ADVANCED,
    /// A revoked lease frees its slot at once.
    REVOKED_LEASE_FREES_SLOT,
    /// Timers go off and nobody hears them.
    TIMERS_UNHEARD,
    /// Leases that were not renewed in time are held on.
    LEASES_OVERDUE,
    /// After a standstill leases end that nobody could renew meanwhile.
    STANDSTILL_UNNOTICED,
    /// A signal that nobody waits for yet is acknowledged and forgotten.
    SIGNAL_FORGOTTEN,
    /// The second copy of a signal counts as another one.
    SIGNAL_COUNTED_TWICE,
    /// A token that was used decides about whatever waits for a decision now.
    TOKEN_WORKS_AGAIN,
    /// A child that is started a second time is another job.
    CHILD_STARTED_TWICE,
    /// The end of a child is reported to its parent before that is durable.
    PARENT_NOTIFIED_BEFORE_DURABLE,
    /// Children count as reported to their parents when they are not.
    PARENT_NOT_NOTIFIED,
    /// Children are taken to have been cancelled when they have not.
    CHILD_NOT_STOPPED,
    /// When one of many children has ended the next is not started.
    NEXT_CHILD_NOT_STARTED,
    /// One of many children begins with what is meant for another.
    CHILDREN_MIXED_UP,
    /// The end of a child is also taken for that of the next one.
    PARENT_RESUMED_TWICE,
    /// The decision that a task did not have its effect is taken for the one that it had.
    RESOLUTION_INVERTED,
    /// A task that must not be done twice is offered again after its worker was lost.
    DOUBT_FORGOTTEN,
    /// What was to be skipped is tried again.
    SKIP_TAKEN_FOR_RELEASE,
    /// A job that is taken back keeps what it has learnt since.
    REWOUND_WITHOUT_ITS_DATA,
    /// What was done since a job was where it is taken back to is not compensated.
    REWOUND_WITHOUT_COMPENSATION,
    /// A job that is forked takes along results that the other one never had.
    FORKED_WITH_OTHER_RESULTS,
    /// How something is compensated gets lost on its way from the handler.
    COMPENSATION_FORGOTTEN,
    /// A worker whose attempt another one has overtaken receives no cancel.
    LOSER_NOT_NOTIFIED,
    /// The second attempt may go to the worker that has the first.
    HEDGED_AT_THE_SAME_WORKER,
    /// The end of one of two attempts is taken for that of the other.
    OTHER_ATTEMPT_ENDED,
    /// Jobs begin without what their blueprint allows them.
    GUARDS_FORGOTTEN,
    /// How often a state lets its handler run again gets lost.
    RETRIES_FORGOTTEN,
    /// Calls of webhooks are now and then forgotten.
    WEBHOOK_FORGOTTEN,
    /// Webhooks count as delivered when they were not.
    WEBHOOK_NOT_CALLED,
    /// Webhooks are called before the events are durable.
    WEBHOOK_BEFORE_DURABLE,
    /// Children are begun outside the trace of their parents.
    TRACE_BROKEN,
    /// Of a fan-out that is released, a task that has its result is done again.
    DONE_AGAIN,
    /// A worker that waits for an answer keeps its slot.
    PARKED_KEEPS_SLOT,
    /// After a crash nobody knows which workers wait for an answer.
    PARKED_FORGOTTEN_ON_RECOVERY,
    /// Answers are acknowledged and forgotten.
    ANSWER_FORGOTTEN,
    /// An answer becomes another one on its way.
    ANSWER_CHANGED,
    /// A worker that repeats an answered question gets the reply from before the answer.
    QUESTION_ANSWERED_FROM_NOWHERE,
    /// A job that continues as new keeps the data that it had.
    CONTINUED_WITH_OLD_DATA,
    /// A step whose definition is missing has failed.
    MISSING_DEFINITION_FAILS,
    /// What is held for a definition does not go on when it comes.
    HELD_FOREVER,
    /// Each submission is a new job, whatever its key.
    KEY_IGNORED,
    /// Tasks are offered without the limits that they share.
    LIMITS_FORGOTTEN,
    /// Jobs are offered in the name of another client.
    CLIENTS_CONFUSED,
    /// Limits of the settings let one task more be with workers than they allow.
    LIMITS_RAISED,
    /// The buckets of rates of the settings are full again after each grant.
    BUCKETS_REFILLED,
    /// Leases that live when the orchestrator starts do not count at limits.
    LIMITS_FORGOTTEN_ON_RECOVERY,
    /// Limits of the settings let one task less be with workers than they allow.
    LIMITS_LOWERED,
    /// One client has a thousand turns for each turn of another.
    CLIENT_PREFERRED,
    /// Some jobs of a client have nine of ten turns of their client.
    JOBS_PREFERRED,
    /// Low priorities wait as long as there are higher ones.
    AGING_OFF,
    /// The coordinator does not hear of some workers that want tasks.
    POLL_UNHEARD,
    /// The tasks of a paused job stay in the queue.
    PAUSE_UNHEARD,
    /// What a pause put off is not asked for when the job is resumed.
    RESUME_UNHEARD,
    /// A handler that ignores its interrupt keeps its place.
    HUNG_HANDLER_KEEPS_PLACE,
    /// A job never hears that its handler has taken too long.
    HUNG_HANDLER_UNHEARD,
    /// Entries of functions have one id: a function in memory seems to be where its job is.
    ENTRIES_WITHOUT_IDS,
    /// A function does not read the last entry of its history.
    LAST_ENTRY_UNREAD,
    /// A function takes results of tasks for those of their neighbours.
    RESULTS_SWAPPED,
    /// What is compensated with a result gets that of its neighbour.
    OTHERS_COMPENSATED,
    /// The branches of a job run their function at once.
    NOT_SERIAL,
    /// A function takes results of children for those of their neighbours.
    CHILDREN_SWAPPED,
    /// What a function recorded is not what it was when its code runs again.
    RECORDED_AGAIN,
    /// A function that runs again goes the way of the newest version.
    VERSION_MOVED,
    /// A decision becomes another one when the code of a function runs again.
    DECISION_INVERTED,
    /// What a signal brought is not what it was when the code of a function runs again.
    SIGNAL_CHANGED,
    /// A new run of a function begins with what its job was submitted with.
    NEW_RUN_WITH_OLD_INPUT,
    /// A call of a function is done twice.
    CALL_DOUBLED,
    /// A pushed task that is not accepted in time is not given back.
    UNACCEPTED_KEPT,
    /// The tasks that were not accepted over a channel are forgotten with it.
    UNACCEPTED_FORGOTTEN_WITH_CHANNEL,
    /// The tasks that were not accepted over a channel go to others with its end, though their worker may come back with them.
    UNACCEPTED_RETURNED_WITH_CHANNEL,
    /// Commands that an orchestrator which died has not sent are never sent.
    COMMANDS_NOT_REPEATED,
    /// After a restart the orchestrator does not know to which process of a worker it gave a lease.
    PROCESSES_CONFUSED,
    /// Commands are sent again under other ids.
    REPEATED_AS_OTHERS,
    /// Commands that must not be done twice are sent again.
    REPEATED_BLINDLY,
    /// A channel that takes the place of another is sent the tasks of the other again.
    PUSHED_AGAIN,
    /// Nobody hears that the connection of a channel is over.
    CHANNEL_END_UNHEARD,
    /// A pushed task that must not be done twice goes to another worker when it is not accepted.
    UNACCEPTED_DOUBT_FORGOTTEN,
    /// That somebody else accepts a task counts as the word of the worker that it was pushed to.
    ACCEPTED_BY_STRANGERS,
    /// A report of somebody else counts as one of the worker that holds the lease.
    REPORTED_BY_STRANGERS,
    /// A report that comes again is answered like the first.
    SECOND_REPORT_COUNTS,
    /// Workers get one task more than they take.
    SLOTS_RAISED,
    /// Workers get more tasks of a category than they take.
    CATEGORIES_IGNORED,
    /// A channel that another takes the place of stays open.
    REPLACED_CHANNEL_LEFT_OPEN,
    /// A worker whose tasks end with its channel stays when that is closed.
    STAYS_WITHOUT_CHANNEL,
    /// A worker that is gone with its channel leaves a second time.
    LEFT_TWICE,
    /// A task that the orchestrator does not know, and that a worker accepts, throws.
    UNKNOWN_TASK_THROWS,
    /// A worker that is silent forever stays.
    SILENCE_UNNOTICED,
    /// A pushed task has a millisecond less to be accepted.
    ACCEPTANCE_CUT_SHORT,
    /// A pushed task has a millisecond more to be accepted.
    ACCEPTANCE_PROLONGED,
    /// A lease that nobody renews ends a millisecond early.
    LEASE_CUT_SHORT,
    /// The conversation with workers reckons by the clock that jumps.
    AGES_BY_WALL_CLOCK,
    /// Jobs begin without the budget of their blueprint.
    BUDGET_FORGOTTEN,
    /// Children begin without the part of the budget that their parent grants.
    GRANTED_BUDGET_FORGOTTEN,
    /// What an attempt has cost is lost on its way to the job.
    COST_FORGOTTEN,
    /// Steps of cards run before those on which they depend.
    CARD_DEPENDENCIES_REVERSED,
    /// Steps of cards lead back to themselves.
    CARD_STEP_REPEATED,
    /// Steps of cards whose quality is low are done again too often.
    CARD_ROUNDS_UNCOUNTED,
    /// Steps of cards wait for another event.
    CARD_EVENT_CHANGED,
    /// Steps of cards are not compensated.
    CARD_COMPENSATION_FORGOTTEN,
    /// Steps of cards are compensated in the name of another step.
    CARD_COMPENSATIONS_SWAPPED,
    /// Subprocesses of cards see more than their input.
    CARD_INPUT_LEAKED,
    /// What a subprocess of a card returns is in another variable.
    CARD_OUTPUT_MISPLACED,
    /// Cards do not limit the depth of their subprocesses.
    CARD_DEPTH_FORGOTTEN,
    /// Processes of cards begin without the budget of their card.
    CARD_BUDGET_FORGOTTEN;

    /// The traits without which it does not show; only those that few scenarios have together.
    public Set<Trait> needs() {
        return switch (this) {
            case OTHER_ATTEMPT_ENDED -> Set.of(Trait.HEDGING, Trait.TASKS_FAIL);
            case GRANT_WAITS_FOR_READING -> Set.of(Trait.LOADS_FAIL, Trait.SMALL_ROOM);
            case READY_HELD_BACK -> Set.of(Trait.LOADS_FAIL, Trait.SMALL_ROOM, Trait.BATCH_POLLS);
            case JOBS_PREFERRED -> Set.of(Trait.FAN_OUT);
            case HUNG_HANDLER_KEEPS_PLACE, HUNG_HANDLER_UNHEARD -> Set.of(Trait.HANDLERS_HANG);
            case ENTRIES_WITHOUT_IDS,
                    LAST_ENTRY_UNREAD,
                    RESULTS_SWAPPED,
                    NOT_SERIAL,
                    CALL_DOUBLED,
                    RECORDED_AGAIN,
                    VERSION_MOVED ->
                    Set.of(Trait.FUNCTIONS);
            case OTHERS_COMPENSATED -> Set.of(Trait.FUNCTIONS, Trait.COMPENSATION);
            case CHILDREN_SWAPPED -> Set.of(Trait.FUNCTIONS, Trait.CHILDREN);
            case DECISION_INVERTED -> Set.of(Trait.FUNCTIONS, Trait.APPROVALS);
            case SIGNAL_CHANGED -> Set.of(Trait.FUNCTIONS, Trait.SIGNALS);
            case NEW_RUN_WITH_OLD_INPUT -> Set.of(Trait.FUNCTIONS, Trait.NEW_RUNS);
            case UNACCEPTED_KEPT,
                    UNACCEPTED_FORGOTTEN_WITH_CHANNEL,
                    UNACCEPTED_RETURNED_WITH_CHANNEL,
                    PUSHED_AGAIN,
                    CHANNEL_END_UNHEARD,
                    REPLACED_CHANNEL_LEFT_OPEN,
                    STAYS_WITHOUT_CHANNEL,
                    LEFT_TWICE,
                    ACCEPTANCE_CUT_SHORT,
                    ACCEPTANCE_PROLONGED,
                    LEASE_CUT_SHORT ->
                    Set.of(Trait.PUSHED);
            case COMMANDS_NOT_REPEATED, REPEATED_AS_OTHERS ->
                    Set.of(Trait.AGENTS, Trait.ORCHESTRATOR_CRASHES);
            case PROCESSES_CONFUSED ->
                    Set.of(Trait.AGENTS, Trait.ORCHESTRATOR_CRASHES, Trait.WORKERS_CRASH);
            case REPEATED_BLINDLY ->
                    Set.of(Trait.AGENTS, Trait.ORCHESTRATOR_CRASHES, Trait.ONCE_ONLY);
            case CATEGORIES_IGNORED, SLOTS_RAISED -> Set.of(Trait.PUSHED, Trait.FAN_OUT);
            case ACCEPTED_BY_STRANGERS, REPORTED_BY_STRANGERS, UNKNOWN_TASK_THROWS ->
                    Set.of(Trait.PUSHED, Trait.STRANGERS);
            case BUDGET_FORGOTTEN, COST_FORGOTTEN -> Set.of(Trait.BUDGETS);
            case GRANTED_BUDGET_FORGOTTEN -> Set.of(Trait.BUDGETS, Trait.CHILDREN);
            case CARD_DEPENDENCIES_REVERSED -> Set.of(Trait.CARDS, Trait.FORK);
            case CARD_STEP_REPEATED, CARD_ROUNDS_UNCOUNTED -> Set.of(Trait.CARDS);
            case CARD_EVENT_CHANGED -> Set.of(Trait.CARDS, Trait.SIGNALS);
            case CARD_COMPENSATION_FORGOTTEN, CARD_COMPENSATIONS_SWAPPED ->
                    Set.of(Trait.CARDS, Trait.COMPENSATION);
            case CARD_INPUT_LEAKED, CARD_OUTPUT_MISPLACED, CARD_DEPTH_FORGOTTEN ->
                    Set.of(Trait.CARDS, Trait.CHILDREN);
            case CARD_BUDGET_FORGOTTEN -> Set.of(Trait.CARDS, Trait.BUDGETS);
            case AGES_BY_WALL_CLOCK -> Set.of(Trait.CLOCK_JUMPS);
            case SILENCE_UNNOTICED -> Set.of(Trait.WORKERS_CRASH);
            case UNACCEPTED_DOUBT_FORGOTTEN -> Set.of(Trait.PUSHED, Trait.ONCE_ONLY);
            default -> Set.of();
        };
    }
}
