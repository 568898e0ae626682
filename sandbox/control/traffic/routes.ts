import { Hono } from "hono";
import type { RestNote } from "../../discord/traffic.ts";
import type { Traffic, TrafficDetails } from "../api/traffic.ts";
import type { ControlParts } from "../parts.ts";
import { formatNote } from "./format-note.ts";
import { redact, secretsOf } from "./redact.ts";

/** `GET /` lists the entries, `GET /:id` adds the bodies of one, and `DELETE /` clears all. */
export function trafficRoutes(parts: ControlParts): Hono {
  const { discord } = parts;
  const { traffic } = discord;
  const list = (): Traffic => ({ entries: traffic.notes.map((note) => formatNote(discord, note)) });
  return new Hono()
    .get("/", (context) => context.json(list()))
    .delete("/", (context) => {
      traffic.forget();
      return context.json(list());
    })
    .get("/:id", (context) => {
      const note = traffic.notes.find(({ id }) => String(id) === context.req.param("id"));
      if (note === undefined) {
        throw new Error("This entry is no longer stored.");
      }
      const secrets = secretsOf(parts);
      const isRest = note.kind === "rest";
      return context.json({
        entry: formatNote(discord, note),
        sent: redact(isRest ? note.record.body : note.data, secrets),
        answered: isRest ? redact(answerOf(note), secrets) : null,
        files: isRest
          ? note.record.files.map(({ name, bytes }) => ({ name, sizeBytes: bytes.byteLength }))
          : [],
      } satisfies TrafficDetails);
    });
}

function answerOf({ answer }: RestNote): unknown {
  const text = answer.text();
  if (text === "") {
    return undefined;
  }
  if (answer.isCut) {
    return `${text}…`;
  }
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
