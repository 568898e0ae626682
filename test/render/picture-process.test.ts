import { readFileSync } from "node:fs";
import sharp from "sharp";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  type PictureChild,
  createPictureProcess,
  startPictureChild,
} from "../../src/render/picture-process.ts";
import { PictureError } from "../../src/render/pictures.ts";
import { drawNoise, drawPicture, makeBomb } from "../support/sent-pictures.ts";
import { createStillClock } from "../support/still-clock.ts";

const QUESTION = { do: "encode", maxBytes: 8_000_000, maxSide: 2_048, transparentAs: ["png"] } as const;
const small = await drawPicture(20, 10).png().toBuffer();
/** A picture that takes long enough to be interrupted. */
const large = await drawNoise(2_600, 2_000).png({ compressionLevel: 1 }).toBuffer();

function openProcess(start = () => startPictureChild()) {
  const clock = createStillClock();
  const children: PictureChild[] = [];
  const started = createPictureProcess({
    clock,
    start() {
      const child = start();
      children.push(child);
      return child;
    },
  });
  onTestFinished(() => started.close());
  const ask = (bytes: Uint8Array) => started.ask(QUESTION, [bytes]);
  return { clock, children, ask, close: () => started.close() };
}

test("starts with the first picture, and the next ones go to the same", async () => {
  const { children, ask } = openProcess();
  expect(children).toHaveLength(0);
  const made = await Promise.all([ask(small), ask(large), ask(small)]);
  expect(made.map(({ width }) => width)).toEqual([20, 2_048, 20]);
  expect(children).toHaveLength(1);
});

test("ends after a minute without pictures, and starts again", async () => {
  const { clock, children, ask } = openProcess();
  await ask(small);
  clock.advance(59_999);
  await ask(small);
  clock.advance(59_999);
  expect(children).toHaveLength(1);
  clock.advance(1);
  expect(await ask(small)).toMatchObject({ width: 20 });
  expect(await children[0]?.ended).toMatchObject({ how: "SIGKILL" });
  expect(children).toHaveLength(2);
  expect(clock.waits()).toEqual([60_000]);
});

test("that falls over a picture takes only that one with it", async () => {
  const { children, ask } = openProcess();
  await ask(small);
  const fatal = ask(large);
  const next = ask(small);
  await Promise.resolve();
  children[0]?.kill();
  await expect(fatal).rejects.toMatchObject({ name: "PictureError", problem: "damaged" });
  expect(await next).toMatchObject({ width: 20 });
});

test("is given 30 seconds for a picture", async () => {
  const { clock, children, ask } = openProcess();
  await ask(small);
  const slow = ask(large);
  await expect.poll(() => clock.waits()).toEqual([30_000]);
  clock.advance(30_000);
  await expect(slow).rejects.toMatchObject({ name: "PictureError", problem: "too-slow" });
  expect(await ask(small)).toMatchObject({ width: 20 });
  expect(children).toHaveLength(2);
});

test("once closed leaves nothing behind and takes nothing more", async () => {
  const { clock, children, ask, close } = openProcess();
  await ask(small);
  const attempts = [ask(large), ask(small)];
  const outcomes = Promise.all(attempts.map((attempt) => attempt.catch((error: unknown) => error)));
  await close();
  const aborted = { name: "ServiceError", kind: "aborted" };
  expect(await outcomes).toMatchObject([aborted, aborted]);
  await expect(ask(small)).rejects.toMatchObject(aborted);
  await expect.poll(() => clock.waits()).toEqual([]);
  expect(await children[0]?.ended).toMatchObject({ how: "SIGKILL" });
  expect(children).toHaveLength(1);
});

test("that does not start is a bug, not the picture's fault", async () => {
  const { ask } = openProcess(() => startPictureChild("/nowhere/program.ts"));
  const error: unknown = await ask(small).catch((reason: unknown) => reason);
  expect(error).not.toBeInstanceOf(PictureError);
  expect(error).toMatchObject({ message: "the picture process ended: exit code 1" });
});

test("forbids kinds of pictures to itself alone: the sandbox may draw SVG in this very process", async () => {
  const { ask } = openProcess();
  const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect/></svg>');
  await expect(ask(drawing)).rejects.toMatchObject({ problem: "damaged" });
  expect((await sharp(drawing).png().toBuffer()).length).toBeGreaterThan(0);
});

describe.runIf(process.platform === "linux")("its memory", () => {
  test("hardly grows for 144 megapixels: they are refused before anything is decoded", async () => {
    const { children, ask } = openProcess();
    await ask(small);
    const before = peakMegabytes(children[0]);
    await expect(ask(makeBomb())).rejects.toMatchObject({ problem: "too-many-pixels" });
    expect(peakMegabytes(children[0]) - before).toBeLessThan(20);
  });

  // Six of the largest pictures take some time on a busy machine.
  test("is given back between pictures", { timeout: 180_000 }, async () => {
    const { children, ask } = openProcess();
    await ask(large);
    const before = nowMegabytes(children[0]);
    for (let round = 0; round < 5; round += 1) {
      await ask(large);
    }
    expect(nowMegabytes(children[0]) - before).toBeLessThan(60);
  });

  const peakMegabytes = (child: PictureChild | undefined) => readStatus(child, /VmHWM:\s+(\d+)/);
  const nowMegabytes = (child: PictureChild | undefined) => readStatus(child, /VmRSS:\s+(\d+)/);

  function readStatus(child: PictureChild | undefined, line: RegExp): number {
    return Number(line.exec(readFileSync(`/proc/${lastOf(child?.pid)}/status`, "utf8"))?.[1]) / 1_024;
  }

  /** In a jail, the process is a child of the shell that made the jail. */
  function lastOf(pid: number | string | undefined): number | string | undefined {
    const below = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
    return below === "" ? pid : lastOf(below);
  }
});
