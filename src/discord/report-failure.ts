// What becomes of whatever a command throws, however it was asked: a sentence for the person, the rest for the log.
import { randomBytes } from "node:crypto";
import { UserError } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import { explainError, type Explain } from "./explain-error.ts";

/** Thrown where the server does not let a person use a command. */
export function notForEveryone(): UserError {
  return new UserError(
    "That is for people with more rights in this server. Please ask one of its moderators.",
  );
}

/** Logs a failure of `task`, unless the person can put it right, and gives the sentence to tell them. */
export function reportFailure(log: Log, error: unknown, task: string, explain: Explain): string {
  const { sentence, reference } = explainError(error, explain, () => randomBytes(4).toString("hex"));
  if (reference !== undefined) {
    log.error({ error, reference, task }, "a command failed");
  } else if (!(error instanceof UserError)) {
    log.warn({ error, task }, "a service failed a command");
  }
  return sentence;
}
