// What services need of the outside. src/discord and src/render implement these; app.ts hands them over.
import type { BoardPictureModel } from "../render/board-picture-model.ts";

/** The connection to Discord, as far as people care about it. */
export interface Connection {
  /** Milliseconds of the last heartbeat's round trip, averaged over shards; `undefined` before the first. */
  latencyMs(): number | undefined;
  /** How many servers this process looks after. */
  guildCount(): number;
}

/** Draws what a view has worked out. src/render implements it. */
export interface Pictures {
  /** A board as a PNG. */
  board(model: BoardPictureModel): Promise<Uint8Array>;
}

/** Told by the connection which servers the bot is in. src/services/guilds implements it. */
export interface GuildWatch {
  /** The bot was removed from a server, or the server is gone for good. */
  left(guildId: string): Promise<void>;
  /** The bot is in these servers. */
  present(guildIds: readonly string[]): Promise<void>;
  /** Erases what has waited long enough, among servers whose shard this process runs. */
  eraseDue(isOurs: (guildId: string) => boolean): Promise<void>;
}
