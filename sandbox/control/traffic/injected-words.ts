// What a person did to a call or an event with a fault switch, in words.
import type { DiscordFaultKind } from "../../discord/fault-answers.ts";
import type { GatewaySaid } from "../../discord/traffic.ts";

export const REQUEST_INJECTIONS: Readonly<Record<DiscordFaultKind, string>> = {
  "500": "A server error was injected: nothing was done.",
  "500-after": "It was done, but a server error was injected in place of the answer.",
  drop: "The connection was torn on purpose: nothing was done.",
  "drop-after": "It was done, but the connection was torn on purpose before the answer.",
  hang: "It is held back on purpose: nothing is done and nothing is answered.",
  "hang-after": "It was done, but the answer is held back on purpose.",
  slow: "It was slowed down on purpose.",
  "401": "This refusal of the token was injected: the token is good.",
  "429": "This rate limit was injected: the bot did nothing wrong.",
  "429-global": "This global rate limit was injected: the bot did nothing wrong.",
  "429-shared": "This shared rate limit was injected: the bot did nothing wrong.",
  malformed: "It was done, but the answer was garbled on purpose.",
  truncated: "It was done, but the answer was cut short on purpose.",
};

export const EVENT_INJECTIONS: Readonly<Record<NonNullable<GatewaySaid["fault"]>, string>> = {
  drop: "It was lost on purpose: it comes only with a RESUME.",
  delay: "It was sent late on purpose.",
  duplicate: "It was sent twice on purpose.",
  moment: "It was injected: the bot did nothing to bring it about.",
};
