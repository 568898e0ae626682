// Does what the member does, and shows failures where they belong. The sandbox decides what is allowed.
import { signal } from "@preact/signals";
import type { Action, ActionAnswer, FieldValues, OpenModal } from "../../../control/chat/api.ts";
import { ApiError, sendAction, errorText } from "../api/request.ts";
import { scrollToEnd } from "./layers.ts";
import { channelId, memberName } from "./session.ts";
import { reportFailure } from "./toast.ts";

/** A command that the bot has not acknowledged. */
export interface PendingCommand {
  readonly key: number;
  readonly member: string;
  readonly channelId: string;
  /** E.g. `/departures`. */
  readonly what: string;
  /** `undefined` while the page waits for the bot. */
  readonly problem: string | undefined;
  readonly retry: () => void;
}

export const pending = signal<readonly PendingCommand[]>([]);

/** `undefined` if the last press did not fail. */
export const failedPress = signal<{ readonly messageId: string; readonly problem: string } | undefined>(
  undefined,
);

let lastKey = 0;

export function dropPending(key: number): void {
  pending.value = pending.value.filter((one) => one.key !== key);
}

export interface OpenedForm {
  readonly modal: OpenModal;
  /** Throws ApiError. */
  readonly submit: (fields: FieldValues) => Promise<void>;
}

export const openedForm = signal<OpenedForm | undefined>(undefined);

/** Performs the action as the current member in the open channel, and opens the form if the bot answers with one. Throws ApiError. */
export async function perform(action: Action): Promise<ActionAnswer> {
  const place = { member: memberName.value, channel: channelId.value };
  const answer = await sendAction(place, action);
  const { modal, interactionId } = answer;
  if (modal !== undefined && interactionId !== undefined) {
    const submit = async (fields: FieldValues) => {
      await sendAction(place, { do: "submit", interactionId, fields });
    };
    openedForm.value = { modal, submit };
  }
  return answer;
}

/** Shows a row in the chat until the bot acknowledges the command. Throws ApiError if the command could not be sent. */
export async function runCommand(what: string, action: Action): Promise<void> {
  lastKey += 1;
  const key = lastKey;
  const retry = () => {
    dropPending(key);
    void reportFailure(runCommand(what, action));
  };
  const place = { member: memberName.value, channelId: channelId.value };
  const begun = { key, ...place, what, retry, problem: undefined };
  scrollToEnd();
  pending.value = [...pending.value, begun];
  try {
    await perform(action);
    dropPending(key);
  } catch (error) {
    dropPending(key);
    if (!(error instanceof ApiError && error.isNoResponse)) {
      throw error;
    }
    pending.value = [...pending.value, { ...begun, problem: errorText(error) }];
  }
}

/** Uses a button or a menu of a message. Returns whether the bot accepted it; a failure is shown below the message. */
export async function press(messageId: string, action: Action): Promise<boolean> {
  failedPress.value = undefined;
  try {
    await perform(action);
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

/** Performs any other action. A failure is shown as a toast. */
export function attempt(action: Action): void {
  void reportFailure(perform(action));
}
