// A campaign against one publication: two processes on one database, crashes at any call, a video service and a Discord
// that fail, lie and lose answers, and people who press buttons. A calm end follows.
import * as fc from "fast-check";
import type { Fault } from "./fake-messenger.ts";
import { ADA, type CrashPoint, openPublishWorld, type PublishLife } from "./publish-world.ts";

type ServiceFault = Parameters<
  Awaited<ReturnType<typeof openPublishWorld>>["standIn"]["faults"]["add"]
>[0]["do"];

/** A pause and its events. */
interface Step {
  readonly waitMs: number;
  /** Faults of the next requests to the video service. */
  readonly service: readonly { readonly path: RegExp; readonly do: ServiceFault }[];
  /** Faults of the next calls to Discord. */
  readonly discord: readonly (Fault | undefined)[];
  /** The button that a person presses in the first process. */
  readonly press: "submit" | "cancel" | "retry" | "edit" | undefined;
  /** The calls at which the processes that start in this step crash. */
  readonly crashes: readonly (CrashPoint | undefined)[];
}

export interface Campaign {
  readonly upload: "simple" | "chunked";
  readonly steps: readonly Step[];
}

/** The result of a campaign. */
export interface CampaignReport {
  readonly state: string;
  readonly videos: number;
  readonly told: readonly string[];
  /** States that were wrong when they were seen. */
  readonly lies: readonly string[];
}

const PATHS = [
  /\/videos\/simple$/,
  /\/videos\/start$/,
  /\/videos\/transfer$/,
  /\/videos\/finish$/,
  /^\/\d+$/,
  /\/videos$/,
];

const crash: fc.Arbitrary<CrashPoint | undefined> = fc.option(
  fc.record({ call: fc.integer({ min: 1, max: 30 }), when: fc.constantFrom("before", "after") }),
  { nil: undefined },
);

/** Campaigns of some minutes. */
export const publishCampaigns: fc.Arbitrary<Campaign> = fc.record({
  upload: fc.constantFrom("simple", "chunked"),
  steps: fc.array(
    fc.record({
      waitMs: fc.oneof(
        fc.constant(0),
        fc.integer({ min: 0, max: 5_000 }),
        fc.integer({ min: 0, max: 60_000 }),
      ),
      service: fc.array(
        fc.record({
          path: fc.constantFrom(...PATHS),
          do: fc.constantFrom<ServiceFault[]>(
            "500",
            "500-after",
            "drop",
            "drop-after",
            "truncated",
            "html",
            "transient",
            "offset",
            "half",
            "throttled",
            "permission",
            "session-gone",
            "success-false",
            "no-id",
          ),
        }),
        { maxLength: 3 },
      ),
      discord: fc.array(
        fc.constantFrom<(Fault | undefined)[]>(undefined, "unavailable", "answer-lost", "outcome-unknown"),
        { maxLength: 3 },
      ),
      press: fc.constantFrom("submit", "submit", "cancel", "retry", "edit", undefined),
      crashes: fc.tuple(crash, crash),
    }),
    { minLength: 1, maxLength: 5 },
  ),
});

export async function runPublishCampaign({ upload, steps }: Campaign): Promise<CampaignReport> {
  const world = await openPublishWorld({ upload, windowBytes: () => 20_000 });
  const { id } = await world.begin().publish.draft(world.order());
  const lies: string[] = [];
  let lives: readonly PublishLife[] = [];

  /**
   * Checks the number of videos against the state: none if it says that nothing was published, one if it says that a
   * video exists.
   */
  async function check(): Promise<void> {
    const { state } = await world.row(id);
    const { length } = world.videos();
    const isNone = ["draft", "failed", "cancelled"].includes(state);
    const isOne = ["processing", "published"].includes(state);
    if (length > 1 || (isNone && length > 0) || (isOne && length !== 1)) {
      lies.push(`${state} with ${length}`);
    }
  }

  async function press(life: PublishLife | undefined, what: Step["press"]): Promise<void> {
    if (life === undefined || what === undefined) {
      return;
    }
    const { publish } = life;
    const pressed =
      what === "edit" ? publish.edit(id, { description: "New words." }, ADA) : publish[what](id, ADA);
    await Promise.race([pressed.catch(() => undefined), life.ended]);
  }

  for (const step of steps) {
    lives = step.crashes.map((at, index) =>
      lives[index]?.isOver === false ? lives[index] : world.begin(at),
    );
    step.service.forEach((fault) => world.standIn.faults.add(fault));
    const faults = [...step.discord];
    world.discord.fault = () => faults.shift();
    await press(lives[0], step.press);
    const endMs = world.clock.now() + step.waitMs;
    await world.advanceUntil(async () => {
      await check();
      return world.clock.now() >= endMs;
    });
  }
  world.discord.fault = () => undefined;
  world.standIn.faults.clear();
  const calm = world.begin();
  await calm.publish.submit(id, ADA);
  const { state } = await world.settle(id);
  await check();
  const report = { state, videos: world.videos().length, told: world.told(), lies };
  await world.close();
  return report;
}
