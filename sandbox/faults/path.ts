// Matches the paths of requests against those of faults.

/** Removes the query and the prefix, and decodes `@original`. */
export function comparablePath(url: string, prefix: string): string {
  const [path = "/"] = url.split("?");
  const below = path.startsWith(prefix) ? path.slice(prefix.length) : path;
  return below.replaceAll("%40", "@");
}

/** `:name` matches one part; everything else matches itself. */
export function patternOf(path: string): RegExp {
  const escaped = path.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replaceAll(/:[A-Za-z]+/g, "[^/]+")}$`);
}
