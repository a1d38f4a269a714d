package dev.artel.card.template;

/// The references of a value come to more than there is room for.
public final class TooLargeExpansion extends RuntimeException {
    private static final long serialVersionUID = 1;

    TooLargeExpansion(String what) {
        super(what, null, false, false);
    }
}
