package dev.artel.gateway.shell;

import dev.artel.session.SessionOutput.Report;
import dev.artel.session.SessionReply;

/// A request that has no answer yet. Its methods neither wait nor throw.
interface Pending {
    void reply(SessionReply reply);

    void report(Report report);

    /// There will be no answer any more.
    void end();
}
