package dev.artel.gateway.zeromq;

import dev.artel.gateway.shell.SessionShell;
import dev.artel.json.JsonObject;
import dev.artel.session.PushTerms;

/// `HELLO`: a worker has shown that it is there on a socket. With the second one tasks may be pushed to it. Messages of one
/// worker come one at a time.
final class Greetings {
    private final SessionShell shell;
    private final WorkerLinks links;
    private final LinkChannel.Parts channels;
    private final PushTerms terms;

    Greetings(SessionShell shell, WorkerLinks links, LinkChannel.Parts channels, PushTerms terms) {
        this.shell = shell;
        this.links = links;
        this.channels = channels;
        this.terms = terms;
    }

    void hello(WirePort port, PeerName peer, PushMessage message) {
        var link = links.find(peer, message.members());
        if (link == null) {
            channels.sender().reregister(peer, "a HELLO names another session");
            return;
        }
        channels.sender()
                .send(
                        port,
                        peer,
                        "HELLO_OK",
                        JsonObject.builder().put("session", link.session()).build());
        if (link.greeted(port)) {
            var channel = new LinkChannel(link, channels);
            link.opened(channel);
            channel.numbered(shell.opened(channel, link.worker(), terms));
        }
    }
}
