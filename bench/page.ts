// Measures the sandbox's page in a browser: how soon it is ready, how large its script is, and whether a long channel
// scrolls without a pause. Returns rows only if Chromium is installed.
import { gzipSync } from "node:zlib";
import { z } from "zod";
import { buildPage } from "../sandbox/page/serve-page.ts";
import { findChromium, type Page } from "../sandbox/visit/chromium.ts";
import { openVisit, type Visit } from "../sandbox/visit/open-visit.ts";
import type { World } from "../sandbox/world.ts";
import { median, rowWithin, type BenchRow } from "./row.ts";

const ROUNDS = 7;
const MESSAGES = 1_000;
/** Every 50th message is a board. */
const BOARD_EVERY = 50;

const GOAL_READY_MS = 1_000;
const GOAL_SCRIPT_KB = 300;
const GOAL_TASK_MS = 50;

/** Returns the rows; without Chromium, none, and prints why. */
export async function pageRows(): Promise<readonly BenchRow[]> {
  const executablePath = findChromium();
  if (executablePath === undefined) {
    console.error("page: no chromium on the PATH; install it, or name it in CHROMIUM");
    return [];
  }
  await using visit = await openVisit(executablePath);
  const readyMs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    readyMs.push(await timeToReady(visit));
  }
  const scripts = (await buildPage()).filter(({ path }) => path.endsWith(".js"));
  const scriptKb = scripts.reduce((sum, { bytes }) => sum + gzipSync(bytes).byteLength, 0) / 1000;
  await fillChannel(visit.world);
  const page = await visit.open();
  const passes: LongestTask[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    passes.push(await scrollThrough(page));
  }
  const scrolling = `scrolling ${MESSAGES} messages up and down, longest task, p50 of ${ROUNDS} passes`;
  return [
    rowWithin("page ready: from the address to the greeting, p50", "ms", median(readyMs), GOAL_READY_MS),
    rowWithin("page's script, compressed", "kB", scriptKb, GOAL_SCRIPT_KB),
    rowWithin(scrolling, "ms", median(passes.map(({ wallMs }) => wallMs)), GOAL_TASK_MS),
    // The time on an otherwise idle machine.
    rowWithin(
      `${scrolling}, processor time`,
      "ms",
      median(passes.map(({ processorMs }) => processorMs)),
      GOAL_TASK_MS,
    ),
  ];
}

/** Opens the page in a new profile, so that nothing is cached. */
async function timeToReady({ open }: Visit): Promise<number> {
  const page = await open();
  await page.getByRole("button", { name: /^Ask for trains/ }).waitFor();
  // The page's own clock, which starts with the navigation, so the driver's overhead does not count.
  const ms = Number(await page.evaluate("performance.now()"));
  await page.context().close();
  return ms;
}

async function fillChannel(world: World): Promise<void> {
  const { channels } = world;
  const [ada, grace] = [world.member("Ada"), world.member("Grace")];
  for (let index = 0; index < MESSAGES; index += 1) {
    if (index % BOARD_EVERY === 0) {
      await ada.slash(channels.general, "departures", { station: "York" });
    } else {
      const words = `**${index}** of _many_: see \`${index * 7}\`, <t:1795195200:R>\n> and <#${channels.trains.id}>`;
      await (index % 3 === 0 ? grace : ada).say(channels.general, words);
    }
  }
}

/** The fields of a browser's trace that are used; times in microseconds. */
const traced = z.object({
  name: z.string(),
  pid: z.number(),
  tid: z.number(),
  dur: z.number().optional(),
  /** Processor time, without waiting. */
  tdur: z.number().optional(),
  args: z.object({ name: z.string().optional() }).optional(),
});

interface LongestTask {
  readonly wallMs: number;
  readonly processorMs: number;
}

/**
 * Scrolls to the oldest message and back, by 250 pixels a frame, and returns the longest tasks of the page's main
 * thread.
 */
async function scrollThrough(page: Page): Promise<LongestTask> {
  await page.locator("li.message").nth(10).waitFor();
  await page.waitForLoadState("networkidle");
  const session = await page.context().newCDPSession(page);
  const events: z.infer<typeof traced>[] = [];
  session.on("Tracing.dataCollected", ({ value }) => {
    events.push(...value.map((one) => traced.parse(one)));
  });
  const traceConfig = { includedCategories: ["toplevel", "__metadata"] };
  await session.send("Tracing.start", { transferMode: "ReportEvents", traceConfig });
  await page.evaluate(`(async () => {
    const list = document.querySelector(".transcript");
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const isAtEnd = {
      // The column is reversed: its end is at 0, and positions above it are negative.
      up: () => list.scrollTop + list.scrollHeight <= list.clientHeight + 1,
      down: () => list.scrollTop >= 0,
    };
    for (const [way, step] of [["up", -250], ["down", 250]]) {
      for (let still = 0; still < 30; ) {
        list.scrollBy(0, step);
        await frame();
        still = isAtEnd[way]() ? still + 1 : 0;
      }
    }
  })()`);
  const complete = new Promise<void>((resolve) => session.once("Tracing.tracingComplete", () => resolve()));
  await session.send("Tracing.end");
  await complete;
  await session.detach();
  const mains = new Set(
    events.filter(({ args }) => args?.name === "CrRendererMain").map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = events.filter(({ name, pid, tid }) => name.endsWith("RunTask") && mains.has(`${pid} ${tid}`));
  return {
    wallMs: longestMs(tasks.map(({ dur }) => dur)),
    processorMs: longestMs(tasks.map(({ tdur }) => tdur)),
  };
}

const longestMs = (microseconds: readonly (number | undefined)[]) =>
  microseconds.reduce((most: number, one = 0) => Math.max(most, one), 0) / 1000;
