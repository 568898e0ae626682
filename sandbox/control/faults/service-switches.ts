// Bad days that only one of the services has.
import type { RailDataStandIn } from "../../rail-data/server.ts";
import type { TflStandIn } from "../../tfl/server.ts";
import type { FaultWords, SwitchPlan } from "./switch.ts";

/** Where pictures are sent. */
const ORDERS = /^\/v1\/process$/;
/** Where an upload ends and its video is made. */
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
] as const satisfies readonly FaultWords[];

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
] as const satisfies readonly FaultWords[];

export const TFL_SWITCHES = [
  { label: "Wrong key", description: "Calls are refused with a 429 that names the key.", do: "wrong-key" },
  {
    label: "An error inside a 200",
    description: "Calls get an error instead of a list, with status 200.",
    do: "200-error",
  },
  { label: "A page", description: "Calls get a page of HTML, with status 200.", do: "html" },
] as const satisfies readonly FaultWords[];

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
] as const satisfies readonly FaultWords[];

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
] as const satisfies readonly FaultWords[];

export const railDataMoments = ({ operators }: RailDataStandIn): readonly SwitchPlan[] => [
  {
    label: "An incident at Northern",
    description: "Northern reports a signal failure, until you press “Northern runs well”.",
    happen: () =>
      operators.set("Northern", {
        id: "sandbox-incident",
        detail:
          "A signal failure between Leeds and Skipton means trains may be cancelled or delayed by up to 40 minutes.",
      }),
  },
  {
    label: "Northern runs well",
    description: "Good service again.",
    happen: () => operators.set("Northern"),
  },
];

export const tflMoments = ({ lines }: TflStandIn): readonly SwitchPlan[] => [
  {
    label: "Trouble on the Victoria line",
    description: "Severe delays, until you press “The Victoria line runs well”.",
    happen: () =>
      lines.set("victoria", {
        severity: 6,
        reason: "Severe delays while we fix a signal failure at Euston. ",
      }),
  },
  {
    label: "The Victoria line runs well",
    description: "Good service again.",
    happen: () => lines.set("victoria"),
  },
];
