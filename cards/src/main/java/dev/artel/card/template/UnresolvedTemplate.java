package dev.artel.card.template;

/// A template refers to a value that is not there.
public final class UnresolvedTemplate extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnresolvedTemplate(ValuePath path, String why) {
        super("${" + path + "} has no value: " + why);
    }
}
