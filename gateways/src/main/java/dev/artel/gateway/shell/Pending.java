package dev.artel.gateway.shell;

import dev.artel.session.SessionReply;

/// A request that has no answer yet. Its methods neither wait nor throw.
interface Pending {
    void reply(SessionReply reply);

    /// Makes a call that waits, on a thread of the one who asked.
    void make(Runnable call);

    /// There will be no answer any more.
    void end();
}
