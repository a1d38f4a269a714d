package dev.artel.json.bind;

/// One thing that does not fit.
///
/// @param path where it stands, such as `params.points[2].x`
/// @param problem what was expected there and what was found
public record Mismatch(String path, String problem) {
    @Override
    public String toString() {
        return path + ": " + problem;
    }
}
