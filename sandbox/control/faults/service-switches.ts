// Bad days that only one of the services has.
import type { RailDataStandIn } from "../../rail-data/server.ts";
import type { StyleStandIn } from "../../style/server.ts";
import type { TflStandIn } from "../../tfl/server.ts";
import type { TransportStandIn } from "../../transport/server.ts";
import type { VideoStandIn } from "../../video/server.ts";
import { ANYWHERE, lasting, moment, type LastingSwitch, type Switch } from "./switch.ts";

export function transportSwitches({ faults }: TransportStandIn): LastingSwitch[] {
  const on = (kind: Parameters<typeof faults.add>[0]["do"]) => (times: number) =>
    faults.add({ path: ANYWHERE, do: kind, times });
  return [
    lasting(
      "transport",
      {
        name: "used-up",
        label: "Plan used up",
        description: "The service says that the plan's calls are used up.",
      },
      on("used-up"),
    ),
    lasting(
      "transport",
      { name: "token", label: "Invalid key", description: "The service doesn't accept the bot's key." },
      on("401"),
    ),
    lasting(
      "transport",
      {
        name: "odd",
        label: "Strange answers",
        description: "Answers contain unexpected numbers, nulls and words.",
      },
      on("odd-values"),
    ),
  ];
}

export function railDataSwitches({ faults, operators }: RailDataStandIn): Switch[] {
  const on =
    (kind: Parameters<typeof faults.add>[0]["do"], path = ANYWHERE) =>
    (times: number) =>
      faults.add({ path, do: kind, times });
  return [
    lasting(
      "rail-data",
      { name: "token", label: "Invalid key", description: "A product doesn't accept the bot's key." },
      on("401"),
    ),
    lasting(
      "rail-data",
      {
        name: "agent",
        label: "Refused at the edge",
        description: "Calls get a page that says “Access Denied”, as if their User-Agent were unwanted.",
      },
      on("403-page"),
    ),
    lasting(
      "rail-data",
      {
        name: "details",
        label: "No details of trains",
        description: "Boards are well, but the details of every train fail with a 500.",
      },
      on("500", /\/GetServiceDetails\//),
    ),
    moment(
      "rail-data",
      {
        name: "incident",
        label: "An incident at Northern",
        description: "Northern reports a signal failure, until it is said to be over.",
      },
      () =>
        operators.set("Northern", {
          id: "sandbox-incident",
          detail:
            "A signal failure between Leeds and Skipton means trains may be cancelled or delayed by up to 40 minutes.",
        }),
    ),
    moment(
      "rail-data",
      { name: "incident-over", label: "Northern runs well", description: "Good service again." },
      () => operators.set("Northern"),
    ),
  ];
}

export function tflSwitches({ faults, lines }: TflStandIn): Switch[] {
  const on =
    (kind: Parameters<typeof faults.add>[0]["do"], path = ANYWHERE) =>
    (times: number) =>
      faults.add({ path, do: kind, times });
  return [
    lasting(
      "tfl",
      { name: "token", label: "Wrong key", description: "Calls are refused with a 429 that names the key." },
      on("wrong-key"),
    ),
    lasting(
      "tfl",
      {
        name: "error-inside",
        label: "An error inside a 200",
        description: "Calls get an error where a list is due, with status 200.",
      },
      on("200-error"),
    ),
    lasting(
      "tfl",
      { name: "html", label: "A page", description: "Calls get a page of HTML, with status 200." },
      on("html"),
    ),
    moment(
      "tfl",
      {
        name: "victoria",
        label: "Trouble on the Victoria line",
        description: "Severe delays, until the Victoria line is said to run well.",
      },
      () =>
        lines.set("victoria", {
          severity: 6,
          reason: "Severe delays while we fix a signal failure at Euston. ",
        }),
    ),
    moment(
      "tfl",
      { name: "victoria-well", label: "The Victoria line runs well", description: "Good service again." },
      () => lines.set("victoria"),
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
        description: "The account is empty, so no pictures are made.",
      },
      on("402", ORDERS),
    ),
    lasting(
      "style",
      { name: "token", label: "Invalid key", description: "The service doesn't accept the bot's key." },
      on("401"),
    ),
    lasting(
      "style",
      {
        name: "filtered",
        label: "Content refused",
        description: "Pictures are made, then withheld because of their content.",
      },
      on("filtered", ORDERS),
    ),
    lasting(
      "style",
      {
        name: "endless",
        label: "Jobs never end",
        description: "Jobs stay at 90% for ever.",
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
        description: "The linked account's token has expired.",
      },
      on("token-expired"),
    ),
    lasting(
      "video",
      {
        name: "permission",
        label: "Missing permission",
        description: "The token no longer has the permission it needs.",
      },
      on("permission"),
    ),
    lasting(
      "video",
      {
        name: "throttled",
        label: "Page limit reached",
        description: "The Page has made too many calls, and must wait eleven minutes.",
      },
      on("throttled"),
    ),
    lasting(
      "video",
      {
        name: "stuck",
        label: "Processing never ends",
        description: "New videos stay at 90% until you end their processing.",
      },
      on("stuck", MADE),
    ),
    lasting(
      "video",
      {
        name: "failed",
        label: "Processing fails",
        description: "New videos fail in processing.",
      },
      on("failed", MADE),
    ),
  ];
}
