// A gateway payload nobody expected must not end the bot. discord.js reads payloads as they come: one without a
// field it relies on throws inside its own listeners, where nobody can catch it, and Node ends the process.
import type { Client, SimpleShardingStrategy } from "discord.js";
import type { Log } from "../core/log.ts";

/** The manager of connections inside discord.js, which hands every payload on through `emit`. */
export type ShardManager = ConstructorParameters<typeof SimpleShardingStrategy>[0];

/** A payload; only its event's name matters here. */
interface Packet {
  readonly t: string;
}

/** Events that the bridge takes as they come. */
const TAKEN_RAW: ReadonlySet<string> = new Set(["INTERACTION_CREATE", "MESSAGE_CREATE"]);

/** Catches and logs what listeners of gateway payloads throw. */
export function surviveGateway(manager: ShardManager, log: Log): void {
  const emit = manager.emit.bind(manager);
  const guarded = (...args: Parameters<typeof emit>): boolean => {
    try {
      return emit(...args);
    } catch (error) {
      log.error({ error, event: String(args[0]) }, "gateway payload ignored");
      return true;
    }
  };
  // The overloads of `emit` are those of the function it replaces.
  manager.emit = guarded as typeof manager.emit;
}

/**
 * The same for payloads that came before the bot was ready: discord.js keeps those and reads them later.
 * What the bridge has taken from the raw event ends here: objects of discord.js's that nobody looks at would cost as
 * much again as the answer.
 */
export function guardPackets({ ws }: Client, log: Log): void {
  // `handlePacket` is private in the types, and the one place that all payloads pass.
  const manager = ws as unknown as {
    handlePacket: (packet?: Packet, ...rest: readonly unknown[]) => boolean;
  };
  const handlePacket = manager.handlePacket.bind(manager);
  manager.handlePacket = (packet, ...rest) => {
    if (packet !== undefined && TAKEN_RAW.has(packet.t)) {
      return true;
    }
    try {
      return handlePacket(packet, ...rest);
    } catch (error) {
      log.error({ error, event: packet?.t }, "gateway payload ignored");
      return true;
    }
  };
}
