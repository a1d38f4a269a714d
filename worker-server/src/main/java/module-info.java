/// A WebSocket server for workers, which a program embeds without the orchestrator.
@org.jspecify.annotations.NullMarked
module dev.artel.worker.server {
    requires transitive dev.artel.json;
    requires dev.artel.json.text;
    requires org.eclipse.jetty.http;
    requires org.eclipse.jetty.io;
    requires org.eclipse.jetty.server;
    requires org.eclipse.jetty.util;
    requires org.eclipse.jetty.websocket.api;
    requires org.eclipse.jetty.websocket.server;
    requires org.slf4j;
    requires static transitive org.jspecify;

    exports dev.artel.worker.server;
    exports dev.artel.worker.server.hub;
}
