// Bad days of the gateway.
import type { LocalDiscord } from "../../discord/server.ts";
import { lasting, moment, type Switch } from "./switch.ts";

const LATE_MS = 2_000;

export function gatewaySwitches({ gateway }: LocalDiscord): Switch[] {
  const event = "INTERACTION_CREATE";
  return [
    moment(
      "gateway",
      {
        name: "drop",
        label: "Drop the connection",
        description: "The socket is torn; the bot comes back and resumes where it was.",
      },
      () => gateway.dropSockets(),
    ),
    moment(
      "gateway",
      {
        name: "reconnect",
        label: "Ask to reconnect",
        description: "Discord moves the bot to another server: it leaves by itself and resumes.",
      },
      () => gateway.askReconnect(),
    ),
    moment(
      "gateway",
      {
        name: "invalid-resumable",
        label: "Invalid session, may resume",
        description: "The session is in doubt; the bot asks to go on with it.",
      },
      () => gateway.invalidate(true),
    ),
    moment(
      "gateway",
      {
        name: "invalid",
        label: "Invalid session, begin anew",
        description: "The session is gone, and what was said in between with it; the bot logs in again.",
      },
      () => gateway.invalidate(false),
    ),
    lasting(
      "gateway",
      {
        name: "lose",
        label: "Commands get lost",
        description: "The bot does not hear of what members do: it does not respond.",
      },
      (times) => gateway.faults.add({ event, do: "drop", times }),
    ),
    lasting(
      "gateway",
      {
        name: "late",
        label: "Commands come late",
        description: "The bot hears two seconds later of what members do: one is left to answer.",
      },
      (times) => gateway.faults.add({ event, do: "delay", times, delayMs: LATE_MS }),
    ),
    lasting(
      "gateway",
      {
        name: "double",
        label: "Commands come twice",
        description: "The bot hears of everything twice; it can answer only once.",
      },
      (times) => gateway.faults.add({ event, do: "duplicate", times }),
    ),
  ];
}
