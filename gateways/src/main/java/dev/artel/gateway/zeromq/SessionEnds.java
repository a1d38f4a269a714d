package dev.artel.gateway.zeromq;

import dev.artel.gateway.shell.SessionShell;
import dev.artel.log.LinesAMinute;
import dev.artel.protocol.WorkerMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How sessions of workers end: each once, with a reason. Safe for use by many threads.
final class SessionEnds {
    private static final Logger LOG = LoggerFactory.getLogger(SessionEnds.class);

    /// How many lines of the log are written in a minute about sessions that begin, and about those that end: a token for many names lets as many do so.
    static final int MOST_LINES = 500;

    private final LinesAMinute lines = new LinesAMinute(MOST_LINES);
    private final SessionShell shell;
    private final WorkerLinks links;
    private final PeerSender sender;

    SessionEnds(SessionShell shell, WorkerLinks links, PeerSender sender) {
        this.shell = shell;
        this.links = links;
        this.sender = sender;
    }

    /// The worker is gone, and what it held with it.
    void gone(WorkerLink link, String reason) {
        if (end(link, reason)) {
            Replies.then(
                    shell.send(link.worker(), new WorkerMessage.Disconnect(link.worker().value())),
                    link.peer(),
                    _ -> {});
        }
    }

    /// The worker is not here any more; the tasks that it has are its own as long as their leases last.
    void left(WorkerLink link, String reason) {
        var _ = end(link, reason);
    }

    /// Nothing is pushed to the worker before it registers again; it keeps the tasks that it has.
    void unassignable(WorkerLink link, String reason) {
        if (end(link, reason)) {
            sender.reregister(link.peer(), reason);
        }
    }

    /// The worker has another session.
    void replaced(WorkerLink link) {
        closed(link, "it registered again");
    }

    private boolean end(WorkerLink link, String reason) {
        var isLast = links.remove(link);
        if (isLast) {
            closed(link, reason);
        }
        return isLast;
    }

    private void closed(WorkerLink link, String reason) {
        lines.log(
                LOG.atInfo().addKeyValue("worker", link.worker()).addKeyValue("reason", reason),
                "the session of a worker on ZeroMQ is over");
        link.ended();
        var channel = link.channel();
        if (channel != null) {
            channel.closed();
        }
    }
}
