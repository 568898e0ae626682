// Reads the errors in the answer to a refused request.
import type { RawAnswer } from "./raw-bot.ts";

/** The paths in `errors`, each with its code, e.g. `components.0.type UNION_TYPE_CHOICES`. */
export function places({ json }: Pick<RawAnswer, "json">): string[] {
  function* walk(node: unknown, path: string[]): Generator<string> {
    if (typeof node !== "object" || node === null) {
      return;
    }
    for (const [key, child] of Object.entries(node)) {
      if (key === "_errors" && Array.isArray(child)) {
        yield* child.map(({ code }: { code: string }) => `${path.join(".")} ${code}`);
      } else {
        yield* walk(child, [...path, key]);
      }
    }
  }
  return [...walk(json["errors"], [])];
}

/** The status and code of a refusal. */
export function outcome({ status, json }: RawAnswer): readonly unknown[] {
  return [status, json["code"]];
}
