// Files on their way into the box: chosen, dropped or pasted.
import { addOption, setValue } from "../command/draft.ts";
import { fileProblem } from "../command/read-draft.ts";
import { OPTION_TYPES } from "../../../discord/option-types.ts";
import { scene } from "../state/scene.ts";
import { showToast } from "../state/toast.ts";
import { draft, files, focusPlace } from "./draft-state.ts";

/** As many as a message may have. */
const MAX_FILES = 10;

/** What one file may weigh. */
export const uploadLimitBytes = (): number => scene.value?.uploadLimitBytes ?? Infinity;

/** Into the command where one is being filled in and takes files, else into the message. */
export function addFiles(added: readonly File[]): void {
  for (const file of added) {
    if (!addToCommand(file)) {
      addToMessage(file);
    }
  }
}

function addToMessage(file: File): void {
  const problem =
    files.value.length >= MAX_FILES
      ? `A message can have up to ${MAX_FILES} files.`
      : fileProblem(file, undefined, uploadLimitBytes());
  if (problem === undefined) {
    files.value = [...files.value, file];
  } else {
    showToast(problem, "danger");
  }
}

/** Its first option that takes files and has none gets it. Whether there is one. */
function addToCommand(file: File): boolean {
  const now = draft.value;
  const option = now?.runnable.options.find(
    ({ type, name }) =>
      type === OPTION_TYPES.attachment &&
      now.values.find((value) => value.option.name === name)?.file === undefined,
  );
  if (now === undefined || option === undefined) {
    return false;
  }
  draft.value = setValue(addOption(now, option), option.name, { file, text: file.name });
  focusPlace(option.name);
  return true;
}

export function removeFile(file: File): void {
  files.value = files.value.filter((one) => one !== file);
}

interface Wanted {
  readonly isMultiple: boolean;
  /** Dotted ends of names, or none for all. */
  readonly extensions?: readonly string[];
}

/** Settles with what was chosen, with nothing when the chooser was closed. */
export function chooseFiles({ isMultiple, extensions = [] }: Wanted): Promise<File[]> {
  return new Promise((resolve) => {
    const input = document.createElement("input");
    input.type = "file";
    input.multiple = isMultiple;
    input.accept = extensions.join(",");
    input.addEventListener("change", () => resolve([...(input.files ?? [])]));
    input.addEventListener("cancel", () => resolve([]));
    input.click();
  });
}
