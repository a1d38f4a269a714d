/// The SDK of those who submit jobs and wait for them.
@org.jspecify.annotations.NullMarked
module dev.artel.client {
    requires static transitive org.jspecify;
    requires transitive dev.artel.blueprint;
    requires transitive dev.artel.json;
    requires dev.artel.json.text;
    requires transitive java.net.http;

    exports dev.artel.client;
}
