// The fault switches that every server has, and those of the gateway and of each service.
import { InteractionType } from "discord-api-types/v10";
import type { AddedFault } from "../../faults/list.ts";
import type { FaultKind, Faults } from "../../faults/faults.ts";
import type { LocalDiscord } from "../../discord/server.ts";
import type { RailDataStandIn } from "../../rail-data/server.ts";
import type { TflStandIn } from "../../tfl/server.ts";

interface SwitchText {
  /** Unique among the switches of its target. */
  readonly label: string;
  readonly description: string;
}

/** `turnOn` adds a fault that stays until it is removed or has affected `times` calls; `trigger` acts once, at once. */
export type SwitchDefinition = SwitchText &
  ({ readonly turnOn: (times: number) => AddedFault } | { readonly trigger: () => void });

export interface FaultDefinition<Kind extends string = string> extends SwitchText {
  readonly do: Kind;
  /** The paths of affected calls. Default: every call. */
  readonly path?: Pick<RegExp, "test">;
}

const ANYWHERE = /^/;
/** Noticeably slow, but within the 3 seconds of an interaction. */
const SLOW_MS = 2_000;
const RETRY_AFTER_MS = 1_000;

const SERVER_SWITCHES = [
  { label: "Slow answers", description: "Every call takes two seconds longer.", do: "slow" },
  {
    label: "Too many requests",
    description: "Calls get a 429 that asks the bot to wait a second.",
    do: "429",
  },
  { label: "Server errors", description: "Calls fail with a 500 and do nothing.", do: "500" },
  {
    label: "Dropped connections",
    description: "The connection breaks before the call is handled.",
    do: "drop",
  },
  {
    label: "Lost answers",
    description: "Calls take effect, but the connection breaks before the answer arrives.",
    do: "drop-after",
  },
  { label: "Garbled answers", description: "Calls take effect, but the answer isn't JSON.", do: "malformed" },
] as const satisfies readonly FaultDefinition[];

export function faultSwitches<Kind extends string>(
  { faults }: { readonly faults: Pick<Faults<Kind>, "add"> },
  own: readonly FaultDefinition<FaultKind | NoInfer<Kind>>[] = [],
  anywhere: FaultDefinition["path"] = ANYWHERE,
): SwitchDefinition[] {
  const all: readonly FaultDefinition<FaultKind | Kind>[] = [...SERVER_SWITCHES, ...own];
  return all.map(({ do: kind, path = anywhere, ...words }) => ({
    ...words,
    turnOn: (times) => faults.add({ path, do: kind, times, delayMs: SLOW_MS, retryAfterMs: RETRY_AFTER_MS }),
  }));
}

/**
 * Faults for calls to Discord's API. They do not affect autocomplete, whose answers would use up a fault that affects one
 * call.
 */
export const discordSwitches = (discord: LocalDiscord): readonly SwitchDefinition[] =>
  faultSwitches(discord, [], {
    test(path) {
      const [, resource, id = ""] = path.split("/");
      return resource !== "interactions" || discord.state.interactions.get(id)?.kind !== AUTOCOMPLETE;
    },
  });

const AUTOCOMPLETE = InteractionType.ApplicationCommandAutocomplete;
const LATE_MS = 2_000;
const COMMANDS = {
  event: "INTERACTION_CREATE",
  affects: (data: unknown) =>
    typeof data !== "object" || data === null || !("type" in data) || data.type !== AUTOCOMPLETE,
};

export const gatewaySwitches = ({ gateway }: LocalDiscord): readonly SwitchDefinition[] => [
  {
    label: "Drop the connection",
    description: "The connection drops. The bot reconnects and resumes.",
    trigger: () => gateway.dropSockets(),
  },
  {
    label: "Ask to reconnect",
    description: "Discord asks the bot to reconnect. It does so and resumes.",
    trigger: () => gateway.askReconnect(),
  },
  {
    label: "Invalid session, may resume",
    description: "Discord rejects the session but lets the bot resume it.",
    trigger: () => gateway.invalidate(true),
  },
  {
    label: "Invalid session, start again",
    description: "The session is lost, with the events in between. The bot logs in again.",
    trigger: () => gateway.invalidate(false),
  },
  {
    label: "Commands get lost",
    description: "The bot doesn't receive commands, so it doesn't respond.",
    turnOn: (times) => gateway.faults.add({ ...COMMANDS, do: "drop", times }),
  },
  {
    label: "Commands come late",
    description: "The bot gets commands two seconds late: one second is left to answer.",
    turnOn: (times) => gateway.faults.add({ ...COMMANDS, do: "delay", times, delayMs: LATE_MS }),
  },
  {
    label: "Commands come twice",
    description: "The bot gets every command twice, but can answer only once.",
    turnOn: (times) => gateway.faults.add({ ...COMMANDS, do: "duplicate", times }),
  },
];

/** The path to which pictures are sent. */
const ORDERS = /^\/v1\/process$/;
/** The requests that complete an upload, so that its video is created. */
const MADE = /\/videos\/(simple|finish)$/;

export const TRANSPORT_SWITCHES = [
  {
    label: "Plan used up",
    description: "The service says that the plan's calls are used up.",
    do: "used-up",
  },
  { label: "Invalid key", description: "The service doesn't accept the bot's key.", do: "401" },
  {
    label: "Strange answers",
    description: "Answers contain unexpected numbers, nulls and words.",
    do: "odd-values",
  },
] as const satisfies readonly FaultDefinition[];

export const RAIL_DATA_SWITCHES = [
  { label: "Invalid key", description: "A product doesn't accept the bot's key.", do: "401" },
  {
    label: "Refused at the edge",
    description: "Calls get a page that says “Access Denied”, as if the service refused their User-Agent.",
    do: "403-page",
  },
  {
    label: "No details of trains",
    description: "Boards work, but the details of every train fail with a 500.",
    do: "500",
    path: /\/GetServiceDetails\//,
  },
] as const satisfies readonly FaultDefinition[];

export const TFL_SWITCHES = [
  { label: "Invalid key", description: "Calls are refused with a 429 that names the key.", do: "wrong-key" },
  {
    label: "An error with status 200",
    description: "Calls get an error instead of a list, with status 200.",
    do: "200-error",
  },
  { label: "HTML instead of JSON", description: "Calls get a page of HTML, with status 200.", do: "html" },
] as const satisfies readonly FaultDefinition[];

export const STYLE_SWITCHES = [
  {
    label: "Out of credit",
    description: "The account is empty, so no pictures are made.",
    do: "402",
    path: ORDERS,
  },
  { label: "Invalid key", description: "The service doesn't accept the bot's key.", do: "401" },
  {
    label: "Content refused",
    description: "Pictures are made, then withheld because of their content.",
    do: "filtered",
    path: ORDERS,
  },
  { label: "Jobs never end", description: "Jobs stay at 90% for ever.", do: "endless-job", path: ORDERS },
] as const satisfies readonly FaultDefinition[];

export const VIDEO_SWITCHES = [
  { label: "Expired token", description: "The linked account's token has expired.", do: "token-expired" },
  {
    label: "Missing permission",
    description: "The token no longer has the permission it needs.",
    do: "permission",
  },
  {
    label: "Page limit reached",
    description: "The Page has made too many calls, and must wait eleven minutes.",
    do: "throttled",
  },
  {
    label: "Processing never ends",
    description: "New videos stay at 90% for ever.",
    do: "stuck",
    path: MADE,
  },
  { label: "Processing fails", description: "New videos fail in processing.", do: "failed", path: MADE },
] as const satisfies readonly FaultDefinition[];

export const railDataMoments = ({ operators }: RailDataStandIn): readonly SwitchDefinition[] => [
  {
    label: "An incident at Northern",
    description: "Northern reports a signal failure, until you press “Good service at Northern”.",
    trigger: () =>
      operators.set("Northern", {
        id: "sandbox-incident",
        detail:
          "A signal failure between Leeds and Skipton means trains may be cancelled or delayed by up to 40 minutes.",
      }),
  },
  {
    label: "Good service at Northern",
    description: "Ends the incident at Northern.",
    trigger: () => operators.set("Northern"),
  },
];

export const tflMoments = ({ lines }: TflStandIn): readonly SwitchDefinition[] => [
  {
    label: "Trouble on the Victoria line",
    description: "Severe delays, until you press “Good service on the Victoria line”.",
    trigger: () =>
      lines.set("victoria", {
        severity: 6,
        reason: "Severe delays while we fix a signal failure at Euston. ",
      }),
  },
  {
    label: "Good service on the Victoria line",
    description: "Ends the severe delays.",
    trigger: () => lines.set("victoria"),
  },
];
