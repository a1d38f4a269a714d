/// The conversation with workers, whatever the wire: who is there, who waits for work, who holds which lease, and
/// what each message is answered.
package dev.artel.session;
