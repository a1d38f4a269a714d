package dev.artel.server;

import java.lang.reflect.Proxy;
import org.slf4j.LoggerFactory;

/// The signal by which a person asks a program to read its files again: SIGHUP.
final class ReloadSignal {
    private ReloadSignal() {}

    /// Does `reload` at each signal. Where there are no signals, nothing.
    static void calls(Runnable reload) {
        try {
            // By name: the compiler warns of these classes, though every JDK has and exports them.
            var signal = Class.forName("sun.misc.Signal");
            var handler = Class.forName("sun.misc.SignalHandler");
            var handles =
                    Proxy.newProxyInstance(
                            handler.getClassLoader(),
                            new Class<?>[] {handler},
                            (proxy, method, _) ->
                                    switch (method.getName()) {
                                        case "handle" -> {
                                            reload.run();
                                            yield null;
                                        }
                                        case "equals" -> false;
                                        case "hashCode" -> System.identityHashCode(proxy);
                                        default -> "reload";
                                    });
            var before =
                    signal.getMethod("handle", signal, handler)
                            .invoke(
                                    null,
                                    signal.getConstructor(String.class).newInstance("HUP"),
                                    handles);
            if (handler.getField("SIG_IGN").get(null).equals(before)) {
                // The JDK leaves it so.
                LoggerFactory.getLogger(ReloadSignal.class)
                        .info(
                                "SIGHUP is ignored, since the process was started so, as nohup does; use POST"
                                        + " /api/v1/admin/reload to have files read again");
            }
        } catch (ReflectiveOperationException | IllegalArgumentException none) {
            LoggerFactory.getLogger(ReloadSignal.class)
                    .atDebug()
                    .setCause(none)
                    .log("no SIGHUP on this platform; use POST /api/v1/admin/reload");
        }
    }
}
