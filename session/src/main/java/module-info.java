/// The conversation with workers, without input and output.
@org.jspecify.annotations.NullMarked
module dev.artel.session {
    requires static transitive org.jspecify;
    requires transitive dev.artel.json;
    requires transitive dev.artel.kernel;
    requires transitive dev.artel.protocol;

    exports dev.artel.session;
}
