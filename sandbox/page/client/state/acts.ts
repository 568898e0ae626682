// What the member does, and where its failure is told. What is allowed, the sandbox decides.
import { signal } from "@preact/signals";
import type { Act, ActAnswer, FieldValues, OpenModal } from "../../../control/chat/api.ts";
import { ApiError, sendAct, wordsOf } from "../api/request.ts";
import { goToEnd } from "./layers.ts";
import { addPending, dropPending, failedPress, failPending } from "./pending.ts";
import { channelId, memberName } from "./session.ts";
import { tellTrouble } from "./toast.ts";

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
  const retry = () => {
    dropPending(key);
    void tellTrouble(runCommand(what, act));
  };
  goToEnd();
  const key = addPending({ channelId: channelId.value, what, retry });
  try {
    await perform(act);
    dropPending(key);
  } catch (error) {
    if (error instanceof ApiError && error.isNoResponse) {
      failPending(key, wordsOf(error));
      return;
    }
    dropPending(key);
    throw error;
  }
}

/** A button or a menu of a message: its failure is told below that message. */
export async function press(messageId: string, act: Act): Promise<void> {
  failedPress.value = undefined;
  try {
    await perform(act);
  } catch (error) {
    const isNoResponse = error instanceof ApiError && error.isNoResponse;
    failedPress.value = {
      messageId,
      problem: isNoResponse ? "This interaction failed." : wordsOf(error),
    };
  }
}

/** Anything else: its failure is told at the bottom. */
export function attempt(act: Act): void {
  void tellTrouble(perform(act));
}
