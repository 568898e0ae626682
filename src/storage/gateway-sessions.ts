// Hands gateway sessions over from a stopping process to the next one.
import { z } from "zod";
import type { Log } from "../core/log.ts";
import type { SecretBox } from "../core/secret-box.ts";
import type { FactsTable } from "./facts-table.ts";

const CONTEXT = "gateway session";

const gatewaySession = z.object({
  shardId: z.number(),
  shardCount: z.number(),
  sessionId: z.string(),
  /** The number of the last event that has arrived. */
  sequence: z.number(),
  resumeURL: z.string(),
  /** Whether its process left it on purpose: then it has handled all events up to `sequence`, and none after it. */
  isLeft: z.boolean().default(true),
});

/** The data for resuming a session. It must not be logged. */
export type GatewaySession = z.output<typeof gatewaySession>;

export type SessionSeal = ReturnType<typeof createSessionSeal>;

export type GatewaySessions = ReturnType<typeof createGatewaySessions>;

/** Without a secret box, sessions are stored as plain text: nobody can use them without the bot's token. */
export function createSessionSeal(secretBox: SecretBox | undefined, log: Log) {
  return {
    seal(session: GatewaySession): string {
      const text = JSON.stringify(session);
      return secretBox?.seal(text, CONTEXT) ?? text;
    },
    open(stored: string): GatewaySession[] {
      const text = secretBox === undefined ? stored : secretBox.open(stored, CONTEXT);
      try {
        return [gatewaySession.parse(JSON.parse(text ?? ""))];
      } catch {
        // The key has changed, or there was none. The error is not logged, because it would quote the session.
        log.info({}, "gateway session not readable");
        return [];
      }
    },
  };
}

export function createGatewaySessions(deps: {
  readonly facts: Pick<FactsTable, "put" | "takeSessions">;
  readonly seal: SessionSeal;
  readonly log: Log;
}) {
  const { facts, seal, log } = deps;
  return {
    /** Stores sessions for the next process. Never throws. */
    async store(sessions: readonly GatewaySession[]): Promise<void> {
      try {
        await Promise.all(
          sessions.map((session) => facts.put(`session ${session.shardId}`, seal.seal(session))),
        );
      } catch (error) {
        log.warn({ error }, "gateway sessions not kept");
      }
    },
    /** Removes and returns the stored sessions of these shards, so only one caller gets each. Never throws. */
    async take(shards: readonly number[] | "auto"): Promise<readonly GatewaySession[]> {
      try {
        return (await facts.takeSessions(shards)).flatMap((stored) => seal.open(stored));
      } catch (error) {
        log.warn({ error }, "gateway sessions not read");
        return [];
      }
    },
  };
}
