package dev.artel.server.wiring;

import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;

/// Refuses requests with more parameters in their address than any route has, before anything is made of them: each takes a hundred bytes of
/// memory, however short it is, for as long as its request waits.
final class FewParameters implements HttpConfiguration.Customizer {
    static final int MOST = 100;

    @Override
    public Request customize(Request request, HttpFields.Mutable answer) {
        var query = request.getHttpURI().getQuery();
        if (query != null && separators(query) >= MOST) {
            throw new HttpException.RuntimeException(
                    HttpStatus.BAD_REQUEST_400,
                    "an address has at most " + MOST + " parameters: send fewer");
        }
        return request;
    }

    private static int separators(String query) {
        var found = 0;
        for (var at = query.indexOf('&'); at >= 0; at = query.indexOf('&', at + 1)) {
            found++;
        }
        return found;
    }
}
