// Bad days of the gateway.
import type { LocalDiscord } from "../../discord/server.ts";
import type { SwitchPlan } from "./switch.ts";

const LATE_MS = 2_000;
const EVENT = "INTERACTION_CREATE";

export const gatewaySwitches = ({ gateway }: LocalDiscord): readonly SwitchPlan[] => [
  {
    label: "Drop the connection",
    description: "The connection drops. The bot reconnects and resumes.",
    happen: () => gateway.dropSockets(),
  },
  {
    label: "Ask to reconnect",
    description: "Discord asks the bot to reconnect. It does so and resumes.",
    happen: () => gateway.askReconnect(),
  },
  {
    label: "Invalid session, may resume",
    description: "Discord rejects the session but lets the bot resume it.",
    happen: () => gateway.invalidate(true),
  },
  {
    label: "Invalid session, start again",
    description: "The session is lost, with the events in between. The bot logs in again.",
    happen: () => gateway.invalidate(false),
  },
  {
    label: "Commands get lost",
    description: "The bot doesn't receive commands, so it doesn't respond.",
    turnOn: (times) => gateway.faults.add({ event: EVENT, do: "drop", times }),
  },
  {
    label: "Commands come late",
    description: "The bot gets commands two seconds late: one second is left to answer.",
    turnOn: (times) => gateway.faults.add({ event: EVENT, do: "delay", times, delayMs: LATE_MS }),
  },
  {
    label: "Commands come twice",
    description: "The bot gets every command twice, but can answer only once.",
    turnOn: (times) => gateway.faults.add({ event: EVENT, do: "duplicate", times }),
  },
];
