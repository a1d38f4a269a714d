package dev.artel.server.api;

import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import io.javalin.http.Context;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes answers.
final class Answers {
    private static final Logger LOG = LoggerFactory.getLogger(Answers.class);
    private static final String JSON = "application/json; charset=utf-8";

    /// Below this an answer is not worth compressing, and goes straight out: Javalin would copy it through a buffer of
    /// 8 KiB of its own.
    private static final int SMALL = 1024;

    private Answers() {}

    static void json(Context request, int status, JsonValue body) {
        json(request, status, JsonText.write(body));
    }

    static void json(Context request, int status, byte[] text) {
        request.status(status).contentType(JSON);
        if (text.length >= SMALL) {
            request.result(text);
            return;
        }
        try {
            request.res().setContentLength(text.length);
            request.res().getOutputStream().write(text);
        } catch (IOException gone) {
            LOG.atDebug()
                    .addKeyValue("path", request.path())
                    .addKeyValue("cause", gone.toString())
                    .log("a client hung up before its answer");
        }
    }
}
