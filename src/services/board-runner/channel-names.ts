// What the channels of boards are called, remembered for when they are gone: a notice can name them then.
import type { Connection } from "../../core/ports.ts";

/** Names of channels, by id. */
export interface ChannelNames {
  /** Takes over what these are called now, and forgets all others. One that is gone keeps the name that it had. */
  keep(channelIds: Iterable<string>): void;
  /** `undefined` for one that this process never saw. */
  get(channelId: string): string | undefined;
}

/** Makes an empty memory. */
export function createChannelNames({ channelName }: Pick<Connection, "channelName">): ChannelNames {
  let names: ReadonlyMap<string, string> = new Map();
  return {
    keep(channelIds) {
      const kept = new Map<string, string>();
      for (const id of channelIds) {
        const name = channelName(id) ?? names.get(id);
        if (name !== undefined) {
          kept.set(id, name);
        }
      }
      names = kept;
    },
    get: (channelId) => names.get(channelId),
  };
}
