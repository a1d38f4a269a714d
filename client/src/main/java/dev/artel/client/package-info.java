/// Submits jobs, waits for them, follows what happens to them and cancels them.
package dev.artel.client;
