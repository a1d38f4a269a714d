/// JSON values as text (RFC 8259).
@org.jspecify.annotations.NullMarked
module dev.artel.json.text {
    requires static transitive org.jspecify;
    requires transitive com.fasterxml.jackson.core;
    requires transitive dev.artel.json;

    exports dev.artel.json.text;
}
