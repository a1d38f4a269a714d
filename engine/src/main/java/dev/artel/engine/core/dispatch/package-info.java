/// Which worker gets which task, when, and why not yet.
package dev.artel.engine.core.dispatch;
