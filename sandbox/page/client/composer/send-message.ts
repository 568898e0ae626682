// Sends the plain message in the box.
import { encodeMentions } from "../command/mentions.ts";
import { wordsOf } from "../api/request.ts";
import { perform } from "../state/acts.ts";
import { goToEnd } from "../state/layers.ts";
import { around, files, problem, replyTo, runnables, text } from "./draft-state.ts";

/** What was refused comes back into the box, unless something new is being typed there. */
export async function sendMessage(): Promise<void> {
  const written = { text: text.value, files: files.value, replyTo: replyTo.value };
  if (written.text.trim() === "" && written.files.length === 0) {
    return;
  }
  if (written.text.startsWith("/") && written.files.length === 0) {
    problem.value = commandProblem(written.text);
    return;
  }
  clear();
  goToEnd();
  try {
    await perform({
      do: "say",
      text: encodeMentions(written.text.trim(), around.value),
      files: written.files,
      ...(written.replyTo === undefined ? {} : { repliesTo: written.replyTo }),
    });
  } catch (error) {
    problem.value = wordsOf(error);
    if (text.value === "") {
      text.value = written.text;
      files.value = written.files;
      replyTo.value = written.replyTo;
    }
  }
}

function clear(): void {
  text.value = "";
  files.value = [];
  replyTo.value = undefined;
  problem.value = "";
}

function commandProblem(typed: string): string {
  return runnables.value.length === 0
    ? "There are no commands here yet. The bot is still starting."
    : `There's no command “${typed.trim()}” here. Type / to see them all.`;
}
