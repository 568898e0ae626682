// Files that a newcomer can attach.
import { Hono } from "hono";
import { answerBytes } from "../../http/answer-bytes.ts";
import type { Sample } from "../api/samples.ts";
import { readSample } from "./read-sample.ts";

const FILES = [
  {
    kind: "picture",
    name: "night-train.jpg",
    contentType: "image/jpeg",
    description: "A train at night below the hills",
  },
  {
    kind: "video",
    name: "passing-train.mp4",
    contentType: "video/mp4",
    description: "A train passes, for five seconds",
  },
] as const;

/** `GET /` lists, `GET /:name` gives the bytes. */
export function sampleRoutes(): Hono {
  return new Hono()
    .get("/", async (context) => {
      const samples = FILES.map(async (file): Promise<Sample> => {
        const { byteLength } = await readSample(file.name);
        return { ...file, sizeBytes: byteLength, url: `_sandbox/samples/${file.name}` };
      });
      return context.json({ samples: await Promise.all(samples) });
    })
    .get("/:name", async (context) => {
      const file = FILES.find(({ name }) => name === context.req.param("name"));
      return file === undefined
        ? context.text("There is no such sample.", 404)
        : answerBytes(await readSample(file.name), context.req.header("range"), {
            "content-type": file.contentType,
          });
    });
}
