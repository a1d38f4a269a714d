package dev.artel.worker.server.hub;

import dev.artel.json.JsonObject;
import org.jspecify.annotations.Nullable;

/// A veto against registrations that are authenticated and valid. It is asked on the thread of the connection, may wait, and
/// is asked again when a worker registers again on its connection. If it throws, the registration is refused with
/// [CloseCode#TRY_AGAIN_LATER].
///
/// That an id is registered on one connection only is not for it to decide, since two may ask at once: see
/// [HubOptions#duplicates].
@FunctionalInterface
public interface Admission {
    /// Who wants to register.
    ///
    /// @param workerId its id
    /// @param workerName its name
    /// @param capabilities what it can do
    /// @param remoteAddress where it comes from
    /// @param registration the whole message, with `authToken`; never to be logged
    /// @param present who is registered under the id at this moment, perhaps on the same connection; null if no worker is
    record Candidate(
            String workerId,
            String workerName,
            WorkerCapabilities capabilities,
            String remoteAddress,
            JsonObject registration,
            @Nullable PooledWorker present) {
        @Override
        public String toString() {
            return "Candidate[workerId=%s, remoteAddress=%s]".formatted(workerId, remoteAddress);
        }
    }

    /// Accepts or refuses.
    AdmissionVerdict admit(Candidate candidate);

    /// Accepts everybody.
    static Admission all() {
        return _ -> AdmissionVerdict.accepted();
    }
}
