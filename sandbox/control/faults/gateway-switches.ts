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
        description: "The connection drops. The bot reconnects and resumes.",
      },
      () => gateway.dropSockets(),
    ),
    moment(
      "gateway",
      {
        name: "reconnect",
        label: "Ask to reconnect",
        description: "Discord asks the bot to reconnect. It does so and resumes.",
      },
      () => gateway.askReconnect(),
    ),
    moment(
      "gateway",
      {
        name: "invalid-resumable",
        label: "Invalid session, may resume",
        description: "Discord rejects the session but lets the bot resume it.",
      },
      () => gateway.invalidate(true),
    ),
    moment(
      "gateway",
      {
        name: "invalid",
        label: "Invalid session, start again",
        description: "The session is lost, with the events in between. The bot logs in again.",
      },
      () => gateway.invalidate(false),
    ),
    lasting(
      "gateway",
      {
        name: "lose",
        label: "Commands get lost",
        description: "The bot doesn't receive commands, so it doesn't respond.",
      },
      (times) => gateway.faults.add({ event, do: "drop", times }),
    ),
    lasting(
      "gateway",
      {
        name: "late",
        label: "Commands come late",
        description: "The bot gets commands two seconds late: one second is left to answer.",
      },
      (times) => gateway.faults.add({ event, do: "delay", times, delayMs: LATE_MS }),
    ),
    lasting(
      "gateway",
      {
        name: "double",
        label: "Commands come twice",
        description: "The bot gets every command twice, but can answer only once.",
      },
      (times) => gateway.faults.add({ event, do: "duplicate", times }),
    ),
  ];
}
