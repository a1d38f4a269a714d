package dev.artel.client;

import dev.artel.blueprint.Approval;
import dev.artel.blueprint.BlueprintType;
import dev.artel.blueprint.Signal;
import dev.artel.blueprint.Verdict;
import dev.artel.json.JsonObject;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;

/// A job of a blueprint whose result has a type. It asks the orchestrator anew on each call, and may be kept as its [JobRef]
/// and taken up again with [ArtelClient#handle]. Safe for use by many threads.
///
/// @param <O> what it has as its result when it has finished
public final class JobHandle<O> {
    private final ArtelClient client;
    private final BlueprintType<?, O> type;
    private final JobRef ref;

    JobHandle(ArtelClient client, BlueprintType<?, O> type, JobRef ref) {
        this.client = client;
        this.type = type;
        this.ref = ref;
    }

    /// The job, by its id.
    public JobRef ref() {
        return ref;
    }

    /// The job as it is now.
    ///
    /// @throws ClientException which states what to do next
    public JobView view() {
        return client.find(ref);
    }

    /// What it is about now.
    ///
    /// @throws ClientException which states what to do next
    public JobStatus status() {
        return view().status();
    }

    /// Waits until the job has finished, at most for `longest`.
    ///
    /// @return its result
    /// @throws ClientException.JobFailed if it has failed
    /// @throws ClientException.JobCancelled if it was cancelled
    /// @throws ClientException.JobQuarantined if it waits for a person when the time is over
    /// @throws ClientException.TimedOut if it goes on when the time is over
    /// @throws ClientException which states what to do next
    /// @throws dev.artel.json.bind.Unfit if its result is not of the type of its constant
    public O await(Duration longest) {
        var job = client.awaitFinal(ref, longest);
        return switch (job.status()) {
            case FINISHED ->
                    type.output()
                            .read(job.result().orElse(JsonObject.EMPTY), "result of job " + ref);
            case FAILED -> throw new ClientException.JobFailed(job);
            case CANCELLED -> throw new ClientException.JobCancelled(job);
            case QUARANTINED -> throw new ClientException.JobQuarantined(job);
            case PENDING,
                    RUNNING,
                    AWAITING_RETRY,
                    WAITING_FOR_WORKER,
                    WAITING_FOR_PARALLEL_TASKS,
                    WAITING_FOR_SUB_JOB,
                    COMPENSATING,
                    WAITING,
                    WAITING_FOR_SIGNAL,
                    WAITING_FOR_HUMAN,
                    UNKNOWN ->
                    throw new ClientException.TimedOut(job, longest);
        };
    }

    /// Sends the signal `signal`. A lost answer makes no second one; a second call does.
    ///
    /// @throws ClientException.Conflict if the job is final
    /// @throws ClientException which states what to do next
    public <T> void signal(Signal<T> signal, T payload) {
        signal(signal, UUID.randomUUID().toString(), payload);
    }

    /// Sends the signal `signal`.
    ///
    /// @param id means something to you, such as the number of a payment: the same id again changes nothing
    /// @throws ClientException.Conflict if the job is final, or the id is that of another signal
    /// @throws ClientException which states what to do next
    public <T> void signal(Signal<T> signal, String id, T payload) {
        client.signal(ref, signal.name(), id, signal.payload().write(payload));
    }

    /// Decides about the one open approval of the job that is to approve or to reject.
    ///
    /// @throws ClientException.Conflict if it waits for none now, or for several: name one with [ArtelClient#decide]
    /// @throws ClientException which states what to do next
    public void decide(Verdict choice) {
        decide(Approval.YES_OR_NO, choice);
    }

    /// Decides about the one open approval of the job that has the choices of `approval`: `decide(WAY, Way.TRAIN)`.
    ///
    /// @throws ClientException.Conflict if it waits for none now, or for several: name one with [ArtelClient#decide]
    /// @throws ClientException which states what to do next
    public <C> void decide(Approval<C> approval, C choice) {
        var word = approval.word(choice);
        var choices = Set.copyOf(approval.words());
        var open =
                client.approvals(ref).stream()
                        .filter(ApprovalView::isOpen)
                        .filter(each -> Set.copyOf(each.choices()).equals(choices))
                        .toList();
        if (open.size() != 1) {
            throw new ClientException.Conflict(
                    "deciding '"
                            + word
                            + "' for job "
                            + ref
                            + ": it waits for "
                            + (open.isEmpty() ? "no approval" : open.size() + " approvals")
                            + " with the choices "
                            + approval
                            + (open.isEmpty() ? " now" : "; name one by its number"),
                    "");
        }
        client.decide(ref, open.getFirst().number(), word);
    }

    /// Asks for the end of the job.
    ///
    /// @throws ClientException.Conflict if it is final already
    /// @throws ClientException which states what to do next
    public void cancel() {
        client.cancel(ref);
    }

    @Override
    public String toString() {
        return type + " " + ref;
    }
}
