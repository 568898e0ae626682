// Puts what a person chose together with what is usual.
import { DEFAULT_DELAY_MINUTES, DEFAULT_LEAD_MINUTES } from "./watch-settings.ts";
import type { WantedWatch, Watch, WatchSettings, WatchTarget } from "./watches.ts";

/** When and where somebody wants to be told; what is absent is as usual. */
export interface TellChoice {
  readonly delay?: number | undefined;
  readonly lead?: number | undefined;
  readonly ping?: boolean | undefined;
  readonly where?: "here" | "dm" | undefined;
}

/** Who asks, and where. */
export interface WatchAsker {
  readonly caller: { readonly id: string };
  readonly where: Watch["askedIn"];
}

/** What a person wants to be watched. */
export function chooseWatch(
  { caller, where }: WatchAsker,
  what: WatchSettings["what"],
  choice: TellChoice,
): WantedWatch {
  return {
    ownerId: caller.id,
    askedIn: where,
    target: targetOf(where, choice.where),
    settings: {
      what,
      delayMinutes: choice.delay ?? DEFAULT_DELAY_MINUTES,
      leadMinutes: choice.lead ?? DEFAULT_LEAD_MINUTES,
      ping: choice.ping ?? false,
    },
  };
}

/** "Here", outside of a server, is the conversation with the person. */
function targetOf({ guildId, channelId }: Watch["askedIn"], where: TellChoice["where"]): WatchTarget {
  return where === "here" && guildId !== undefined && channelId !== undefined
    ? { kind: "channel", guildId, channelId }
    : { kind: "dm" };
}
