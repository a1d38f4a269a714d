package dev.artel.server.wiring;

import java.util.List;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;

/// Refuses requests that state another method in a header than the one that they are sent with. Routes would go by the header, and
/// proxies, the access log and the audit by the method on the wire.
final class MethodOverrides implements HttpConfiguration.Customizer {
    private static final List<String> HEADERS =
            List.of("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override");

    @Override
    public Request customize(Request request, HttpFields.Mutable answer) {
        var headers = request.getHeaders();
        for (var name : HEADERS) {
            if (headers.contains(name)) {
                throw new HttpException.RuntimeException(
                        HttpStatus.BAD_REQUEST_400,
                        name + " is not taken: send the request with the method itself");
            }
        }
        return request;
    }
}
