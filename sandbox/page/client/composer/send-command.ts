// Sends the command in the box.
import type { Draft } from "../command/draft.ts";
import { readDraft } from "../command/read-draft.ts";
import { wordsOf } from "../api/request.ts";
import { runCommand } from "../state/acts.ts";
import { around, draft, focusPlace, problem, TEXT } from "./draft-state.ts";
import { uploadLimitBytes } from "./files.ts";

/** What was refused comes back into the box, unless something new stands there. */
export async function sendCommand(written: Draft): Promise<void> {
  const ready = readDraft(written, around.value, uploadLimitBytes());
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
    problem.value = wordsOf(error);
    draft.value ??= written;
  }
}
