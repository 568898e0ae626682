import { readFileSync } from "node:fs";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { constants, setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  type PictureChild,
  createPictureProcess,
  startPictureChild,
} from "../../src/render/picture-process.ts";
import { PictureError } from "../../src/render/pictures.ts";
import { drawNoise, drawPicture, makeBomb } from "../support/sent-pictures.ts";
import { collectLog } from "../support/collect-log.ts";
import { createStillClock } from "../support/still-clock.ts";

const QUESTION = { do: "encode", maxBytes: 8_000_000, maxSide: 2_048, transparentAs: ["png"] } as const;
const small = await drawPicture(20, 10).png().toBuffer();
/** A picture that takes long enough to be interrupted. */
const large = await drawNoise(2_600, 2_000).png({ compressionLevel: 1 }).toBuffer();

function openProcess(start = () => startPictureChild()) {
  const clock = createStillClock();
  const { log, lines } = collectLog();
  const children: PictureChild[] = [];
  const started = createPictureProcess({
    clock,
    log,
    startPictureChild() {
      const child = start();
      children.push(child);
      return child;
    },
  });
  onTestFinished(() => started.close());
  const ask = (bytes: Uint8Array) => started.ask(QUESTION, [bytes]);
  return { clock, lines, children, ask, close: () => started.close() };
}

test("the picture process starts with the first picture and handles the next ones too", async () => {
  const { children, ask } = openProcess();
  expect(children).toHaveLength(0);
  const made = await Promise.all([ask(small), ask(large), ask(small)]);
  expect(made.map(({ width }) => width)).toEqual([20, 2_048, 20]);
  expect(children).toHaveLength(1);
});

test("the picture process also starts if the bot has the lowest priority", async () => {
  const { ask } = openProcess(() => {
    const child = startPictureChild();
    setPriority(child.pid ?? 0, constants.priority.PRIORITY_LOW);
    return child;
  });
  expect(await ask(small)).toMatchObject({ width: 20 });
});

test("the picture process ends after a minute without pictures, and starts again for the next one", async () => {
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

test("a crash of the picture process fails only the picture that it was handling, and is logged", async () => {
  const { lines, children, ask } = openProcess();
  await ask(small);
  const fatal = ask(large);
  const next = ask(small);
  await Promise.resolve();
  children[0]?.kill();
  await expect(fatal).rejects.toMatchObject({ name: "PictureError", problem: "damaged" });
  expect(await next).toMatchObject({ width: 20 });
  expect(lines).toEqual([
    expect.stringContaining('"how":"SIGKILL","isLate":false,"msg":"picture process killed"'),
  ]);
});

test("the picture process is replaced if a picture takes 30 seconds", async () => {
  const { clock, children, ask } = openProcess();
  await ask(small);
  const slow = ask(large);
  await expect.poll(() => clock.waits()).toEqual([30_000]);
  clock.advance(30_000);
  await expect(slow).rejects.toMatchObject({ name: "PictureError", problem: "too-slow" });
  expect(await ask(small)).toMatchObject({ width: 20 });
  expect(children).toHaveLength(2);
});

test("the picture process leaves nothing behind once closed, and accepts no more pictures", async () => {
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

test("a picture process that does not start is a bug, not the picture's fault", async () => {
  const { ask } = openProcess(() => startPictureChild("/nowhere/program.ts"));
  const error: unknown = await ask(small).catch((reason: unknown) => reason);
  expect(error).not.toBeInstanceOf(PictureError);
  expect(error).toMatchObject({
    message: expect.stringMatching(/^the picture process ended: exit code 1: .*'\/nowhere\/program\.ts'/s),
  });
});

test("a picture process whose output is not a response is killed, even if it has written more than the bot reads", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "signalbox-picture-"));
  const program = join(folder.path, "program.js");
  await writeFile(program, "process.stdout.write(Buffer.alloc(300_000, 255)); setInterval(() => {}, 1_000);");
  const { ask, close } = openProcess(() => startPictureChild(program));
  await expect(ask(small)).rejects.toBeInstanceOf(PictureError);
  await expect(ask(small)).rejects.toMatchObject({ problem: "damaged" });
  await close();
});

test("the picture process forbids picture formats only to itself: the sandbox can draw SVG in this process", async () => {
  const { ask } = openProcess();
  const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect/></svg>');
  await expect(ask(drawing)).rejects.toMatchObject({ problem: "damaged" });
  expect((await sharp(drawing).png().toBuffer()).length).toBeGreaterThan(0);
});

describe.runIf(process.platform === "linux")("the picture process's memory", () => {
  test("hardly grows for 144 megapixels, which are refused before anything is decoded", async () => {
    const { children, ask } = openProcess();
    await ask(small);
    const before = peakMegabytes(children[0]);
    await expect(ask(makeBomb())).rejects.toMatchObject({ problem: "too-many-pixels" });
    expect(peakMegabytes(children[0]) - before).toBeLessThan(20);
  });

  // Six of the largest pictures take some time on a busy machine.
  test("is released between pictures", { timeout: 180_000 }, async () => {
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
