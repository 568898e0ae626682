// The button that runs again what a service failed at, under the sentence that only the person who asked sees.
import { LRUCache } from "lru-cache";
import type { Clock } from "../../core/clock.ts";
import { createShortId, parseComponentId } from "../../core/component-id.ts";
import { ServiceError, type ServiceErrorKind, UserError } from "../../core/errors.ts";
import { type ActionButton, buttonTo } from "../../core/reply.ts";
import { agingBy } from "../../core/growing-cache.ts";
import { type CompletionInteraction, type Interaction, callerOf } from "../interaction.ts";

type Asked = Exclude<Interaction, CompletionInteraction>;

/** No command has this name. */
const COMMAND = "retry";
/** As long as Discord lets an interaction be answered; links to attached files last longer. */
const KEPT_MS = 15 * 60_000;
/** Some kilobytes each. */
const MOST_KEPT = 500;

/** Transient failures that changed nothing. */
const PASSING: ReadonlySet<ServiceErrorKind> = new Set([
  "unavailable",
  "timeout",
  "rate-limited",
  "budget-spent",
  "unexpected-answer",
]);

/** Publishing has buttons of its own, and a database that fails may have saved all the same. */
const NEVER: ReadonlySet<string> = new Set(["video", "source", "account", "storage"]);

function mayPass(error: unknown): boolean {
  return (
    error instanceof ServiceError &&
    PASSING.has(error.kind) &&
    !NEVER.has(error.service) &&
    (error.kind !== "budget-spent" || error.retryAfterMs !== undefined)
  );
}

/** Kept in memory: after a restart a press is answered with what to do instead. */
export function createRetries(clock: Clock) {
  const kept = new LRUCache<string, Asked>({ max: MOST_KEPT, ttl: KEPT_MS, ...agingBy(clock) });

  return {
    /** The button for a failure that may pass. */
    offer(asked: Asked, error: unknown): readonly ActionButton[] {
      if (!mayPass(error)) {
        return [];
      }
      const id = createShortId();
      kept.set(id, asked);
      return [buttonTo("Try again", { command: COMMAND, action: "again", args: { id } })];
    },

    /** Returns the interaction that a press on such a button repeats; any other as it is. */
    read(interaction: Asked): Asked {
      const target = interaction.type === 3 ? parseComponentId(interaction.data.custom_id) : undefined;
      if (interaction.type !== 3 || target?.command !== COMMAND) {
        return interaction;
      }
      const id = target.args["id"] ?? "";
      const asked = kept.get(id);
      kept.delete(id);
      if (asked === undefined || callerOf(asked).id !== callerOf(interaction).id) {
        throw new UserError(
          "I keep a request for 15 minutes and retry it once, so I no longer have this one. Please use the command again.",
          "outdated",
        );
      }
      const { id: pressId, token, member, user, attachment_size_limit, message } = interaction;
      const now = { id: pressId, token, member, user, attachment_size_limit };
      // The answer stands in the failure's place, and not in the message that was pressed on first.
      return asked.type === 2 || asked.message === undefined
        ? { ...asked, ...now }
        : { ...asked, ...now, message: { ...asked.message, id: message.id } };
    },
  };
}
