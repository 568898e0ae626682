// The messages between the sandbox and the bot's own process. The bot itself does not know them.
import { z } from "zod";

const clockState = z.object({ nowMs: z.number(), mode: z.enum(["still", "running"]) });

export const toBot = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("start"),
    clock: clockState,
    commandsDir: z.string().optional(),
    tidiesMemory: z.boolean(),
  }),
  z.object({ type: z.literal("turn"), clock: clockState.extend({ jumpMs: z.number() }) }),
  z.object({ type: z.literal("tick") }),
  z.object({ type: z.literal("stop") }),
]);

export type ToBot = z.output<typeof toBot>;

export const fromBot = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ready") }),
  z.object({ type: z.literal("turned") }),
  z.object({ type: z.literal("ticked") }),
  z.object({ type: z.literal("failed"), message: z.string() }),
]);

export type FromBot = z.output<typeof fromBot>;
