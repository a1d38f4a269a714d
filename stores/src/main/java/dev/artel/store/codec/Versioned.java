package dev.artel.store.codec;

/// A type of event or command in its stored form.
interface Versioned {
    /// The name in the member `type`; stays forever.
    String type();

    /// The version that is written, from 1. What a lower one lacks, [Upcasters] add.
    int version();
}
