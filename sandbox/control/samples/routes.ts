// Files that a newcomer can attach. Made when they are first asked for, and then kept.
import { Hono } from "hono";
import { answerBytes } from "../../http/answer-bytes.ts";
import type { Sample, Samples } from "../api/samples.ts";
import { drawPicture } from "./picture.ts";
import { readFilm } from "./film.ts";

interface Plan extends Omit<Sample, "sizeBytes" | "url"> {
  readonly make: () => Promise<Uint8Array>;
}

const PLANS: readonly Plan[] = [
  {
    kind: "picture",
    name: "night-train.jpg",
    contentType: "image/jpeg",
    description: "A train at night below the hills",
    make: drawPicture,
  },
  {
    kind: "video",
    name: "passing-train.mp4",
    contentType: "video/mp4",
    description: "A train passes, for five seconds",
    make: readFilm,
  },
];

/** `GET /` lists, `GET /:name` gives the bytes. */
export function sampleRoutes(): Hono {
  const made = new Map<string, Promise<Uint8Array>>();

  function bytesOf({ name, make }: Plan): Promise<Uint8Array> {
    const bytes = made.get(name) ?? make();
    made.set(name, bytes);
    return bytes;
  }

  async function list(): Promise<Samples> {
    const samples = PLANS.map(async (plan): Promise<Sample> => {
      const { kind, name, contentType, description } = plan;
      const { byteLength } = await bytesOf(plan);
      const url = `_sandbox/samples/${name}`;
      return { kind, name, contentType, description, sizeBytes: byteLength, url };
    });
    return { samples: await Promise.all(samples) };
  }

  return new Hono()
    .get("/", async (context) => context.json(await list()))
    .get("/:name", async (context) => {
      const plan = PLANS.find(({ name }) => name === context.req.param("name"));
      return plan === undefined
        ? context.text("There is no such sample.", 404)
        : answerBytes(await bytesOf(plan), context.req.header("range"), {
            "content-type": plan.contentType,
          });
    });
}
