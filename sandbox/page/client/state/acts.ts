// What the member does, and where its failure is told. What is allowed, the sandbox decides.
import { signal } from "@preact/signals";
import type { Act, ActAnswer, FieldValues, OpenModal } from "../../../control/chat/api.ts";
import { ApiError, sendAct, errorText } from "../api/request.ts";
import { scrollToEnd } from "./layers.ts";
import { channelId, memberName } from "./session.ts";
import { reportFailure } from "./toast.ts";

/** A command on its way. */
export interface PendingCommand {
  readonly key: number;
  readonly member: string;
  readonly channelId: string;
  /** E.g. `/departures`. */
  readonly what: string;
  /** `undefined` while it is on its way; else what went wrong, for a person. */
  readonly problem: string | undefined;
  readonly retry: () => void;
}

export const pending = signal<readonly PendingCommand[]>([]);

/** Why the last press of something on a message failed; `undefined` when it didn't. */
export const failedPress = signal<{ readonly messageId: string; readonly problem: string } | undefined>(
  undefined,
);

let lastKey = 0;

export function dropPending(key: number): void {
  pending.value = pending.value.filter((one) => one.key !== key);
}

/** A form that the bot opened, and how it is sent. */
export interface OpenedForm {
  readonly modal: OpenModal;
  /** Throws ApiError. */
  readonly submit: (fields: FieldValues) => Promise<void>;
}

export const openedForm = signal<OpenedForm | undefined>(undefined);

/** Does it as the member who is played now, in the open channel. Throws ApiError. */
export async function perform(act: Act): Promise<ActAnswer> {
  const place = { member: memberName.value, channel: channelId.value };
  const answer = await sendAct(place, act);
  const { modal, interactionId } = answer;
  if (modal !== undefined && interactionId !== undefined) {
    const submit = async (fields: FieldValues) => {
      await sendAct(place, { do: "submit", interactionId, fields });
    };
    openedForm.value = { modal, submit };
  }
  return answer;
}

/**
 * A command: until the bot acknowledges, and if it does not, a row in the chat says so. Throws ApiError where it was
 * not even sent.
 */
export async function runCommand(what: string, act: Act): Promise<void> {
  lastKey += 1;
  const key = lastKey;
  const retry = () => {
    dropPending(key);
    void reportFailure(runCommand(what, act));
  };
  const place = { member: memberName.value, channelId: channelId.value };
  const begun = { key, ...place, what, retry, problem: undefined };
  scrollToEnd();
  pending.value = [...pending.value, begun];
  try {
    await perform(act);
    dropPending(key);
  } catch (error) {
    dropPending(key);
    if (!(error instanceof ApiError && error.isNoResponse)) {
      throw error;
    }
    pending.value = [...pending.value, { ...begun, problem: errorText(error) }];
  }
}

/** Presses a button or a menu of a message. Returns whether the bot accepted it; a failure is shown below the message. */
export async function press(messageId: string, act: Act): Promise<boolean> {
  failedPress.value = undefined;
  try {
    await perform(act);
    return true;
  } catch (error) {
    const isNoResponse = error instanceof ApiError && error.isNoResponse;
    failedPress.value = {
      messageId,
      problem: isNoResponse ? "This interaction failed." : errorText(error),
    };
    return false;
  }
}

/** Anything else: its failure is told at the bottom. */
export function attempt(act: Act): void {
  void reportFailure(perform(act));
}
