package dev.artel.blueprint;

/// A state of a blueprint that is being written, to lead to. Its builder gives it, and is the only one that takes it.
public final class StateRef {
    private final States<?, ?> owner;
    private final String name;

    StateRef(States<?, ?> owner, String name) {
        this.owner = owner;
        this.name = name;
    }

    /// Its name.
    public String name() {
        return name;
    }

    boolean isOf(States<?, ?> states) {
        return owner == states;
    }

    @Override
    public String toString() {
        return name;
    }
}
