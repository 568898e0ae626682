// Which requests a fault meets.

/** Without the query and the prefix, `@original` decoded. */
export function comparablePath(url: string, prefix: string): string {
  const [path = "/"] = url.split("?");
  const below = path.startsWith(prefix) ? path.slice(prefix.length) : path;
  return below.replaceAll("%40", "@");
}

/** `:name` stands for one part; everything else for itself. */
export function patternOf(path: string): RegExp {
  const escaped = path.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replaceAll(/:[A-Za-z]+/g, "[^/]+")}$`);
}
