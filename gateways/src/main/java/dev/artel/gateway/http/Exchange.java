package dev.artel.gateway.http;

import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/// A request whose answer is to come. Answered once.
interface Exchange {
    /// How `body` is written.
    default byte[] written(JsonValue body) {
        return JsonText.write(body);
    }

    /// Answers.
    ///
    /// @param type of `body`; null if there is none
    /// @param retryAfter in seconds; 0: not said
    /// @param written is told when all is with the connection, or that it never will be
    void answer(int status, @Nullable String type, long retryAfter, byte[] body, Callback written);

    /// Notices that the sender hangs up.
    Hangup watch(Runnable gone);

    /// The sender has hung up.
    void over();

    /// There will be no answer.
    void fail(Throwable why);
}
