// Bad days that only one of the services has.
import type { StyleStandIn } from "../../style/server.ts";
import type { TransportStandIn } from "../../transport/server.ts";
import type { VideoStandIn } from "../../video/server.ts";
import { ANYWHERE, lasting, type LastingSwitch } from "./switch.ts";

export function transportSwitches({ faults }: TransportStandIn): LastingSwitch[] {
  const on = (kind: Parameters<typeof faults.add>[0]["do"]) => (times: number) =>
    faults.add({ path: ANYWHERE, do: kind, times });
  return [
    lasting(
      "transport",
      {
        name: "used-up",
        label: "Plan used up",
        description: "The service says that the plan's calls are spent.",
      },
      on("used-up"),
    ),
    lasting(
      "transport",
      { name: "token", label: "Invalid key", description: "The service does not know the bot's key." },
      on("401"),
    ),
    lasting(
      "transport",
      {
        name: "odd",
        label: "Odd answers",
        description: "Rows hold numbers, nulls and words that nobody has seen there.",
      },
      on("odd-values"),
    ),
  ];
}

export function styleSwitches({ faults }: StyleStandIn): LastingSwitch[] {
  const on =
    (kind: Parameters<typeof faults.add>[0]["do"], path = ANYWHERE) =>
    (times: number) =>
      faults.add({ path, do: kind, times });
  return [
    lasting(
      "style",
      {
        name: "credit",
        label: "Out of credit",
        description: "The account is empty: pictures are not painted.",
      },
      on("402", ORDERS),
    ),
    lasting(
      "style",
      { name: "token", label: "Invalid key", description: "The service does not take the bot's key." },
      on("401"),
    ),
    lasting(
      "style",
      {
        name: "filtered",
        label: "Content refused",
        description: "Pictures are painted and then held back for what is on them.",
      },
      on("filtered", ORDERS),
    ),
    lasting(
      "style",
      {
        name: "endless",
        label: "Jobs never end",
        description: "Pictures are taken as jobs that stay at nine tenths for ever.",
      },
      on("endless-job", ORDERS),
    ),
  ];
}

/** Where pictures are sent. */
const ORDERS = /^\/v1\/process$/;
/** Where an upload ends and its video is made. */
const MADE = /\/videos\/(simple|finish)$/;

export function videoSwitches({ faults }: VideoStandIn): LastingSwitch[] {
  const on =
    (kind: Parameters<typeof faults.add>[0]["do"], path = ANYWHERE) =>
    (times: number) =>
      faults.add({ path, do: kind, times });
  return [
    lasting(
      "video",
      {
        name: "token",
        label: "Expired token",
        description: "The linked account's token has come to its end.",
      },
      on("token-expired"),
    ),
    lasting(
      "video",
      {
        name: "permission",
        label: "Missing permission",
        description: "The token no longer may do what is asked.",
      },
      on("permission"),
    ),
    lasting(
      "video",
      {
        name: "throttled",
        label: "Page limit reached",
        description: "The page has called too often; it may again in eleven minutes.",
      },
      on("throttled"),
    ),
    lasting(
      "video",
      {
        name: "stuck",
        label: "Processing never ends",
        description: "Videos uploaded from now on stay at 90 % until somebody ends it.",
      },
      on("stuck", MADE),
    ),
    lasting(
      "video",
      {
        name: "failed",
        label: "Processing fails",
        description: "Videos uploaded from now on cannot be processed.",
      },
      on("failed", MADE),
    ),
  ];
}
