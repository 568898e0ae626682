// The buttons under an error message, which only the person who asked sees. **Try again** repeats a request
// that failed because of a service. **Fix it** opens a refused form again, with the person's input.
import { LRUCache } from "lru-cache";
import type { Clock } from "../../core/clock.ts";
import {
  type ComponentTarget,
  createShortId,
  formatComponentId,
  parseComponentId,
} from "../../core/component-id.ts";
import {
  ConflictError,
  type RefusalReason,
  ServiceError,
  type ServiceErrorKind,
  UserError,
} from "../../core/errors.ts";
import { type ActionButton, type Modal, type ModalField, buttonTo } from "../../core/reply.ts";
import { ttlByClock } from "../../core/cache-options.ts";
import { type FormInteraction, type TaskInteraction, callerOf } from "../interaction.ts";
import { readFields } from "./find-task.ts";

/** `again` and `fix` are buttons; `send` is the form that `fix` opens. */
type RetryAction = "again" | "fix" | "send";

interface RetryEntry {
  readonly asked: TaskInteraction;
  readonly form?: Modal | undefined;
  readonly seenVersion?: string | undefined;
}

interface ReadRequest {
  readonly asked: TaskInteraction;
  readonly isRetry: boolean;
  /** The version that a {@link ConflictError} told the person about, if they submit the form again anyway. */
  readonly seenVersion: string | undefined;
}

/** No command has this name. */
const COMMAND = "retry";
/** As long as Discord accepts an answer to an interaction. Links to attached files are valid for longer. */
const REQUEST_TTL_MS = 15 * 60_000;
/** Longer for a form, because a person may take a while to type. */
const FORM_TTL_MS = 60 * 60_000;
/** An entry takes some kilobytes. */
const MAX_ENTRIES = 500;

/** Transient failures that changed nothing. */
const TRANSIENT_KINDS: ReadonlySet<ServiceErrorKind> = new Set([
  "unavailable",
  "timeout",
  "rate-limited",
  "budget-spent",
  "unexpected-answer",
]);

/** Not retried: publishing has buttons of its own, and a database that reports a failure may have saved the change. */
const NOT_RETRIED: ReadonlySet<string> = new Set(["video", "source", "account", "storage"]);

const FIXABLE: ReadonlySet<RefusalReason> = new Set(["input", "overtaken"]);

const GONE_REQUEST =
  "I keep a request for 15 minutes and retry it once, so I no longer have this one. Please use the command again.";
const GONE_FORM = "I no longer have what you typed. Please open the form again.";

function isRetryable(error: unknown): boolean {
  return (
    error instanceof ServiceError &&
    TRANSIENT_KINDS.has(error.kind) &&
    !NOT_RETRIED.has(error.service) &&
    (error.kind !== "budget-spent" || error.retryAfterMs !== undefined)
  );
}

/** Requests are stored in memory only. After a restart, a press is answered with what to do instead. */
export function createRetries(clock: Clock) {
  const entries = new LRUCache<string, RetryEntry>({
    max: MAX_ENTRIES,
    ttl: REQUEST_TTL_MS,
    ...ttlByClock(clock),
  });
  /** Forms that people have opened, by person and custom id. */
  const opened = new LRUCache<string, Modal>({ max: MAX_ENTRIES, ttl: FORM_TTL_MS, ...ttlByClock(clock) });

  function keep(entry: RetryEntry, ttl: number): string {
    const id = createShortId();
    entries.set(id, entry, { ttl });
    return id;
  }

  function find(id: string, interaction: TaskInteraction, gone: string): RetryEntry {
    const found = entries.get(id);
    if (found === undefined || callerOf(found.asked).id !== callerOf(interaction).id) {
      throw new UserError(gone, "outdated");
    }
    return found;
  }

  function noteForm(asked: TaskInteraction, form: Modal): void {
    if (form.isSecret !== true) {
      opened.set(formKey(asked, formatComponentId(form.target)), form);
    }
  }

  return {
    noteForm,

    /** Returns the button for a transient failure or for a mistake in a form; empty if neither applies. */
    offer(asked: TaskInteraction, error: unknown): readonly ActionButton[] {
      if (isRetryable(error)) {
        const id = keep({ asked }, REQUEST_TTL_MS);
        return [buttonTo("Try again", retryTarget("again", id), { emoji: "🔁" })];
      }
      if (asked.type !== 5 || !(error instanceof UserError) || !FIXABLE.has(error.reason)) {
        return [];
      }
      const form = opened.get(formKey(asked, asked.data.custom_id));
      if (form === undefined) {
        return [];
      }
      const seenVersion = error instanceof ConflictError ? error.current : undefined;
      const id = keep({ asked, form: fillIn(form, asked), seenVersion }, FORM_TTL_MS);
      return [buttonTo("Fix it", retryTarget("fix", id))];
    },

    /** The form that a press on **Fix it** opens; `undefined` for any other interaction. */
    readForm(interaction: TaskInteraction): Modal | undefined {
      const id = readId(interaction, ["fix"]);
      if (id === undefined) {
        return undefined;
      }
      const found = find(id, interaction, GONE_FORM);
      const { asked, form } = found;
      if (form === undefined) {
        return undefined;
      }
      entries.set(id, found, { ttl: FORM_TTL_MS });
      noteForm(asked, form);
      return { ...form, target: retryTarget("send", id) };
    },

    /** For **Try again** and for a form that was opened again, it is the request that is repeated. */
    read(interaction: TaskInteraction): ReadRequest {
      const id = readId(interaction, ["again", "send"]);
      if (id === undefined || interaction.type === 2) {
        return { asked: interaction, isRetry: false, seenVersion: undefined };
      }
      const { asked, seenVersion } = find(id, interaction, interaction.type === 5 ? GONE_FORM : GONE_REQUEST);
      entries.delete(id);
      const { id: pressId, token, member, user, attachment_size_limit, message } = interaction;
      const now = { id: pressId, token, member, user, attachment_size_limit };
      // The answer replaces the error message, not the message of the first press.
      const repeated =
        asked.type === 2 || asked.message === undefined || message === undefined
          ? { ...asked, ...now }
          : { ...asked, ...now, message: { ...asked.message, id: message.id } };
      return { asked: withSubmittedFields(repeated, interaction), isRetry: true, seenVersion };
    },
  };
}

/** Uses the fields of the new submission, because the person may have changed them. */
function withSubmittedFields(asked: TaskInteraction, now: TaskInteraction): TaskInteraction {
  return asked.type === 5 && now.type === 5
    ? { ...asked, data: { ...now.data, custom_id: asked.data.custom_id } }
    : asked;
}

function retryTarget(action: RetryAction, id: string): ComponentTarget {
  return { command: COMMAND, action, args: { id } };
}

function readId(interaction: TaskInteraction, actions: readonly RetryAction[]): string | undefined {
  const target = interaction.type === 2 ? undefined : parseComponentId(interaction.data.custom_id);
  return target?.command === COMMAND && actions.some((action) => action === target.action)
    ? (target.args["id"] ?? "")
    : undefined;
}

function formKey(asked: TaskInteraction, customId: string): string {
  return `${callerOf(asked).id} ${customId}`;
}

/** Fills in what the person submitted. Discord does not allow that for files. */
function fillIn(form: Modal, submitted: FormInteraction): Modal {
  const { fields: typed } = readFields(submitted);
  const fields = form.fields.map((field): ModalField => {
    const values = typed[field.name] ?? [];
    switch (field.type) {
      case "text":
        return { ...field, value: values[0] ?? "" };
      case "choice":
        return {
          ...field,
          choices: field.choices.map((choice) => ({ ...choice, chosen: values.includes(choice.value) })),
        };
      case "upload":
        return field;
    }
  });
  return { ...form, fields };
}
