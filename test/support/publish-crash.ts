// One process crashes at one of its calls, and another continues. Afterwards the video must exist once, or not at all
// and a person is asked; what members were told and the audit log must agree with that.
import { ADA, type CrashPoint, openPublishWorld, type PublishWorldOptions } from "./publish-world.ts";

/** The result of one crash. */
interface CrashReport {
  readonly hasDied: boolean;
  /** Calls of the first process. */
  readonly calls: number;
  readonly state: string;
  /** Videos on the service. */
  readonly videos: number;
  readonly told: readonly string[];
  /** The audit log, oldest first. */
  readonly acts: readonly string[];
}

/**
 * Publishes in a process that crashes as given, then continues in another one, in which somebody presses again if
 * necessary.
 */
async function publishThroughCrash(
  options: PublishWorldOptions,
  crash: CrashPoint | undefined,
): Promise<CrashReport> {
  const world = await openPublishWorld(options);
  const { id } = await world.begin().publish.draft(world.order());
  const first = world.begin(crash);
  await Promise.race([first.publish.submit(id, ADA).catch(() => undefined), first.ended]);
  await world.advanceUntil(async () => first.isOver || (await world.row(id)).state === "published");
  await world.quiet();
  const hasDied = first.isOver;
  first.end();
  const second = world.begin();
  await second.publish.submit(id, ADA);
  const { state } = await world.settle(id);
  const videos = world.videos().length;
  const acts = await world.acts();
  const report = { hasDied, calls: first.calls(), state, videos, told: world.told(), acts };
  await world.close();
  return report;
}

/** The results of crashes at each call. */
export interface Crashes {
  readonly calls: number;
  /** Crashes with a wrong result or a wrong message. */
  readonly wrong: readonly CrashReport[];
  /** How often a person had to check. */
  readonly asked: number;
}

/**
 * Crashes at each call of an upload, in separate runs: before the call, or before its answer arrives. `every`: 2 for
 * every other call, beginning with the first.
 */
export async function crashEverywhere(
  upload: "simple" | "chunked",
  when: CrashPoint["when"],
  every = 1,
): Promise<Crashes> {
  const options = { upload, windowBytes: () => 20_000 };
  const { calls } = await publishThroughCrash(options, undefined);
  const reports: CrashReport[] = [];
  for (let call = 1; call <= calls; call += every) {
    reports.push(await publishThroughCrash(options, { call, when }));
  }
  const asked = reports.filter(({ state }) => state === "outcome-unknown").length;
  return { calls, asked, wrong: reports.filter((report) => !isRight(report)) };
}

function isRight({ state, videos, told, acts }: CrashReport): boolean {
  const isTrue = state === "published" ? videos === 1 : state === "outcome-unknown" && videos === 0;
  // Each change has exactly one entry.
  const isInHistory = acts.join() === `submitted,${state === "published" ? state : "failed"}`;
  return isTrue && isInHistory && told.length === 1 && told[0]?.startsWith(`publication, ${state}`) === true;
}
