/// Contract suites and reference implementations for projects that build on Artel's ports.
@org.jspecify.annotations.NullMarked
module dev.artel.testkit {
    requires static transitive org.jspecify;
    requires transitive dev.artel.engine;
    requires transitive dev.artel.json;
    requires dev.artel.json.text;
    requires transitive dev.artel.kernel;
    requires transitive dev.artel.protocol;
    requires transitive dev.artel.session;
    requires transitive org.assertj.core;
    requires transitive org.junit.jupiter.api;

    exports dev.artel.testkit.broker;
    exports dev.artel.testkit.engine;
    exports dev.artel.testkit.port;
    exports dev.artel.testkit.service;
    exports dev.artel.testkit.store;
    exports dev.artel.testkit.transport;
}
