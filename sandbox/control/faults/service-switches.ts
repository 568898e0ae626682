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
    name: "used-up",
    label: "Plan used up",
    description: "The service says that the plan's calls are used up.",
    do: "used-up",
  },
  {
    name: "token",
    label: "Invalid key",
    description: "The service doesn't accept the bot's key.",
    do: "401",
  },
  {
    name: "odd",
    label: "Strange answers",
    description: "Answers contain unexpected numbers, nulls and words.",
    do: "odd-values",
  },
] as const satisfies readonly FaultWords[];

export const RAIL_DATA_SWITCHES = [
  { name: "token", label: "Invalid key", description: "A product doesn't accept the bot's key.", do: "401" },
  {
    name: "agent",
    label: "Refused at the edge",
    description: "Calls get a page that says “Access Denied”, as if the service refused their User-Agent.",
    do: "403-page",
  },
  {
    name: "details",
    label: "No details of trains",
    description: "Boards work, but the details of every train fail with a 500.",
    do: "500",
    path: /\/GetServiceDetails\//,
  },
] as const satisfies readonly FaultWords[];

export const TFL_SWITCHES = [
  {
    name: "token",
    label: "Wrong key",
    description: "Calls are refused with a 429 that names the key.",
    do: "wrong-key",
  },
  {
    name: "error-inside",
    label: "An error inside a 200",
    description: "Calls get an error instead of a list, with status 200.",
    do: "200-error",
  },
  { name: "html", label: "A page", description: "Calls get a page of HTML, with status 200.", do: "html" },
] as const satisfies readonly FaultWords[];

export const STYLE_SWITCHES = [
  {
    name: "credit",
    label: "Out of credit",
    description: "The account is empty, so no pictures are made.",
    do: "402",
    path: ORDERS,
  },
  {
    name: "token",
    label: "Invalid key",
    description: "The service doesn't accept the bot's key.",
    do: "401",
  },
  {
    name: "filtered",
    label: "Content refused",
    description: "Pictures are made, then withheld because of their content.",
    do: "filtered",
    path: ORDERS,
  },
  {
    name: "endless",
    label: "Jobs never end",
    description: "Jobs stay at 90% for ever.",
    do: "endless-job",
    path: ORDERS,
  },
] as const satisfies readonly FaultWords[];

export const VIDEO_SWITCHES = [
  {
    name: "token",
    label: "Expired token",
    description: "The linked account's token has expired.",
    do: "token-expired",
  },
  {
    name: "permission",
    label: "Missing permission",
    description: "The token no longer has the permission it needs.",
    do: "permission",
  },
  {
    name: "throttled",
    label: "Page limit reached",
    description: "The Page has made too many calls, and must wait eleven minutes.",
    do: "throttled",
  },
  {
    name: "stuck",
    label: "Processing never ends",
    description: "New videos stay at 90% until you end their processing.",
    do: "stuck",
    path: MADE,
  },
  {
    name: "failed",
    label: "Processing fails",
    description: "New videos fail in processing.",
    do: "failed",
    path: MADE,
  },
] as const satisfies readonly FaultWords[];

export const railDataMoments = ({ operators }: RailDataStandIn): readonly SwitchPlan[] => [
  {
    name: "incident",
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
    name: "incident-over",
    label: "Northern runs well",
    description: "Good service again.",
    happen: () => operators.set("Northern"),
  },
];

export const tflMoments = ({ lines }: TflStandIn): readonly SwitchPlan[] => [
  {
    name: "victoria",
    label: "Trouble on the Victoria line",
    description: "Severe delays, until you press “The Victoria line runs well”.",
    happen: () =>
      lines.set("victoria", {
        severity: 6,
        reason: "Severe delays while we fix a signal failure at Euston. ",
      }),
  },
  {
    name: "victoria-well",
    label: "The Victoria line runs well",
    description: "Good service again.",
    happen: () => lines.set("victoria"),
  },
];
