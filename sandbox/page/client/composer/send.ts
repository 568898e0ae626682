// Sends the composer's content. If sending fails, the content returns to the composer, unless something new has been written.
import { errorText } from "../api/request.ts";
import type { Draft } from "../command/draft.ts";
import { encodeMentions } from "../command/mentions.ts";
import { readDraft } from "../command/read-draft.ts";
import { perform, runCommand } from "../state/actions.ts";
import { scrollToEnd } from "../state/layers.ts";
import {
  directory,
  draft,
  files,
  focusPlace,
  problem,
  replyTo,
  runnables,
  text,
  TEXT,
} from "./draft-state.ts";
import { uploadLimitBytes } from "./files.ts";

export async function sendCommand(written: Draft): Promise<void> {
  const ready = readDraft(written, directory.value, uploadLimitBytes());
  if ("problem" in ready) {
    problem.value = ready.problem;
    focusPlace(ready.option);
    return;
  }
  draft.value = undefined;
  problem.value = "";
  focusPlace(TEXT);
  const { name } = written.runnable;
  try {
    await runCommand(`/${name}`, { do: "slash", command: name, options: ready.values });
  } catch (error) {
    problem.value = errorText(error);
    draft.value ??= written;
  }
}

export async function sendMessage(): Promise<void> {
  const written = { text: text.value, files: files.value, replyTo: replyTo.value };
  if (written.text.trim() === "" && written.files.length === 0) {
    return;
  }
  if (written.text.startsWith("/") && written.files.length === 0) {
    problem.value = commandProblem(written.text);
    return;
  }
  text.value = "";
  files.value = [];
  replyTo.value = undefined;
  problem.value = "";
  scrollToEnd();
  try {
    await perform({
      do: "say",
      text: encodeMentions(written.text.trim(), directory.value),
      files: written.files,
      ...(written.replyTo === undefined ? {} : { repliesTo: written.replyTo }),
    });
  } catch (error) {
    problem.value = errorText(error);
    if (text.value === "") {
      text.value = written.text;
      files.value = written.files;
      replyTo.value = written.replyTo;
    }
  }
}

function commandProblem(typed: string): string {
  return runnables.value.length === 0
    ? "There are no commands here yet. The bot is still starting."
    : `There's no command “${typed.trim()}” here. Type / to see them all.`;
}
