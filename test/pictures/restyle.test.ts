import { describe, expect, it } from "vitest";
import { UserError } from "../../src/core/errors.ts";
import { PictureError } from "../../src/render/pictures.ts";
import type { PictureTools } from "../../src/render/picture-tools.ts";
import { type RestyleRequest, type RestyleProgress, createRestyle } from "../../src/pictures/restyle.ts";
import { SERVICE_QUEUE, createQueue, throwIfAborted } from "../../src/pictures/queue.ts";
import { createStillClock } from "../support/still-clock.ts";

const picture = (name: string, width = 100) => ({
  bytes: new TextEncoder().encode(name),
  contentType: "image/jpeg" as const,
  width,
  height: 50,
});
const nameOf = ({ bytes }: { readonly bytes: Uint8Array }): string => new TextDecoder().decode(bytes);
const by = { userId: "7", guildId: "1" };
const oil = { id: "oil", label: "Oil", group: undefined, description: "", aliases: [] };

/** A restyling service whose fakes record their work in names. The attachment `bad` is damaged. */
function open({
  hangsAt,
  failsAt,
  stopsAt,
  takesMs = 0,
}: {
  readonly hangsAt?: string;
  readonly failsAt?: string;
  readonly stopsAt?: string;
  readonly takesMs?: number;
} = {}) {
  const stopping = new AbortController();
  const clock = createStillClock();
  const fetched: string[] = [];
  const tools: PictureTools = {
    async prepare(bytes, { maxBytes, maxSide }) {
      if (nameOf({ bytes }) === "bad") {
        throw new PictureError("damaged");
      }
      const name = `${nameOf({ bytes })} ready within ${maxBytes} ${maxSide}`;
      return { ...picture(name), wasAnimated: true, wasReduced: true };
    },
    blend: async (base) => ({ ...picture(""), bytes: base, wasReduced: false }),
    sheet: async () => picture("a sheet"),
    fit: async (bytes, maxBytes) => ({
      ...picture(`${nameOf({ bytes })} fit for ${maxBytes}`, 80),
      wasReduced: true,
    }),
  };
  const restyle = createRestyle({
    catalogue: {
      styles: [],
      intensity: undefined,
      mix: undefined,
      limits: { maxBytes: 5_000, maxSide: 2_048 },
      answer: {},
    },
    async applyStyle(before, { style }, { signal, onProgress }) {
      clock.advance(takesMs);
      onProgress({ stage: "restyling", part: 1, parts: 1, share: undefined, position: undefined });
      if (style.id === failsAt) {
        throw new UserError("You already have pictures waiting.");
      }
      if (style.id === hangsAt) {
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        throwIfAborted(signal);
      }
      if (style.id === stopsAt) {
        stopping.abort();
      }
      return {
        picture: picture(`painted ${nameOf(before)}`),
        intensityBy: undefined,
        blendBy: undefined,
        wasReduced: false,
        isFitted: false,
      };
    },
    tools,
    attachments: {
      async fetch({ url }) {
        fetched.push(url);
        if (url === "gone") {
          throw new UserError("The link has expired.");
        }
        return new TextEncoder().encode(url);
      },
    },
    queue: createQueue(SERVICE_QUEUE),
    stopping: stopping.signal,
    clock,
  });
  const told: [RestyleProgress, string][] = [];
  const request: RestyleRequest = {
    picture: { url: "cat", sizeBytes: 3 },
    style: oil,
    blend: undefined,
    intensity: 100,
    by,
    maxBytes: 9_000,
    onProgress: (state, workId) => told.push([state, workId]),
  };
  return { restyle, clock, fetched, told, request, stopping };
}

/** Lets work that has started run until it waits. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("restyling", () => {
  it("prepares a picture within the service's limits and leaves a result unchanged if its destination accepts it", async () => {
    const { restyle, request } = open();
    const made = await restyle.process(request);
    expect(nameOf(made.before)).toBe("cat ready within 5000 2048");
    expect(nameOf(made.after)).toBe("painted cat ready within 5000 2048");
    expect(made).toMatchObject({ wasAnimated: true, wasReduced: true, isFitted: false });
  });

  it("fits a result to its destination's limit if it is larger", async () => {
    const { restyle, request } = open();
    const made = await restyle.process({ ...request, maxBytes: 20 });
    expect(nameOf(made.after)).toBe("painted cat ready within 20 2048 fit for 20");
    expect(made).toMatchObject({ isFitted: true });
  });

  it("can be cancelled by the person who asked, and by nobody else", async () => {
    const { restyle, request, told } = open({ hangsAt: "oil" });
    const making = restyle.process(request);
    making.catch(() => undefined);
    await settle();
    const workId = told[0]?.[1] ?? "";
    expect(restyle.cancel(workId, "8")).toBe("not-yours");
    expect(restyle.cancel(workId, "7")).toBe("cancelled");
    await expect(making).rejects.toMatchObject({ kind: "aborted" });
    expect(restyle.cancel(workId, "7")).toBe("gone");
  });

  it("ends when the bot is about to stop, and starts nothing more", async () => {
    const { restyle, request, stopping } = open({ hangsAt: "oil" });
    const making = restyle.process(request);
    making.catch(() => undefined);
    await settle();
    stopping.abort();
    await expect(making).rejects.toMatchObject({ kind: "aborted" });
    await expect(restyle.process(request)).rejects.toMatchObject({ kind: "aborted" });
  });

  it("still returns a result that had arrived when the bot was about to stop", async () => {
    const { restyle, request } = open({ stopsAt: "oil" });
    expect(nameOf((await restyle.process(request)).after)).toContain("painted cat");
  });

  it("times out before Discord would no longer accept the answer, and blames the service", async () => {
    const { restyle, request, clock } = open({ hangsAt: "oil" });
    const making = restyle.process(request);
    making.catch(() => undefined);
    await settle();
    clock.advance(13 * 60_000);
    await expect(making).rejects.toMatchObject({ service: "style", kind: "timeout" });
    expect(clock.waits()).toEqual([]);
  });

  it("compares styles within the time limit of one picture, and starts none after it", async () => {
    const { restyle, request, clock, told } = open({ takesMs: 6.5 * 60_000 });
    const styles = ["oil", "ink", "wax"].map((id) => ({ ...oil, id }));
    const { made, failed } = await restyle.processEach(request, styles);
    expect([made, failed.map(({ id }) => id)]).toMatchObject([[{ style: { id: "oil" } }], ["ink", "wax"]]);
    expect(told.filter(([{ stage }]) => stage === "restyling")).toHaveLength(2);
    expect(clock.waits()).toEqual([]);
  });

  it("compares styles on a picture that is prepared once, and reports which style is in progress", async () => {
    const { restyle, request, fetched, told } = open();
    await restyle.processEach(
      request,
      ["oil", "ink"].map((id) => ({ ...oil, id })),
    );
    expect(fetched).toEqual(["cat"]);
    expect(told.map(([state]) => state)).toMatchObject([
      { stage: "preparing" },
      { stage: "restyling", part: 1, parts: 2 },
      { stage: "restyling", part: 2, parts: 2 },
    ]);
  });

  it("can be cancelled by the same button during each of several styles, and keeps the finished pictures", async () => {
    const { restyle, request, told } = open({ hangsAt: "ink" });
    const making = restyle.processEach(
      request,
      ["oil", "ink", "wax"].map((id) => ({ ...oil, id })),
    );
    await expect.poll(() => told.length).toBe(3);
    expect(restyle.cancel(told[0]?.[1] ?? "", "7")).toBe("cancelled");
    expect(await making).toMatchObject({
      made: [{ style: { id: "oil" } }],
      failed: [{ id: "ink" }, { id: "wax" }],
    });
    expect(told).toHaveLength(3);
  });

  it("keeps the finished pictures if the next style is refused, and throws if there are none", async () => {
    const { restyle, request } = open({ failsAt: "ink" });
    const styles = ["oil", "ink"].map((id) => ({ ...oil, id }));
    const { made, failed } = await restyle.processEach(request, styles);
    expect([made.length, failed]).toMatchObject([1, [{ id: "ink" }]]);
    const gone = { ...request, picture: { url: "gone", sizeBytes: 3 } };
    await expect(restyle.processEach(gone, styles)).rejects.toThrow(UserError);
  });

  it("says that it was stopped if it is cancelled after another style has failed", async () => {
    const { restyle, request, told } = open({ failsAt: "oil", hangsAt: "ink" });
    const styles = ["oil", "ink"].map((id) => ({ ...oil, id }));
    const making = restyle.processEach(request, styles);
    await expect.poll(() => told.length).toBe(3);
    restyle.cancel(told[0]?.[1] ?? "", "7");
    await expect(making).rejects.toMatchObject({ kind: "aborted" });
  });

  it("leaves no timer behind", async () => {
    const { restyle, request, clock } = open();
    await restyle.process(request);
    expect(clock.waits()).toEqual([]);
  });
});

describe("preparing and downloading pictures", () => {
  const sources = (...urls: string[]) => urls.map((url) => ({ url, sizeBytes: 3 }));

  it("skips pictures that cannot be used, and gives the others' positions", async () => {
    const { restyle } = open();
    const looked = await restyle.prepare(sources("bad", "cat", "gone", "dog"), { by, maxBytes: 400 });
    expect(looked.map((each) => [each.index, nameOf(each)])).toEqual([
      [1, "cat ready within 400 2048"],
      [3, "dog ready within 400 2048"],
    ]);
  });

  it("reports the first picture's problem if none can be used", async () => {
    const { restyle } = open();
    await expect(restyle.prepare(sources("bad", "gone"), { by, maxBytes: 400 })).rejects.toThrow(
      /^That picture is damaged/,
    );
    await expect(restyle.prepare(sources("gone"), { by, maxBytes: 400 })).rejects.toThrow(UserError);
  });

  it("ends when the bot stops", async () => {
    const { restyle, stopping } = open();
    stopping.abort();
    const file = { url: "done", sizeBytes: 4 };
    await expect(restyle.download(file, { by, maxBytes: 700 })).rejects.toMatchObject({ kind: "aborted" });
  });

  it("fits a picture that is downloaded as a file to the byte limit", async () => {
    const { restyle, fetched } = open();
    const file = await restyle.download({ url: "done", sizeBytes: 4 }, { by, maxBytes: 700 });
    expect(nameOf(file)).toBe("done fit for 700");
    expect(fetched).toEqual(["done"]);
  });
});
