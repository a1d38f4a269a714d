package dev.artel.engine.shell;

import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.engine.WorkerPort;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Listens until a gateway does: no worker asks for tasks meanwhile.
final class IgnoringListener implements WorkerPort.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(IgnoringListener.class);

    @Override
    public void handOut(long ask, WorkerId worker, List<HandOut> tasks) {
        LOG.atWarn().addKeyValue("worker", worker).log("tasks were handed out without a listener");
    }

    @Override
    public void held(HandOut task) {}

    @Override
    public void revoke(WorkerId worker, LeaseToken token) {}

    @Override
    public void lost(WorkerId worker, LeaseToken token) {}
}
