import { createCommandDirectory } from "../../src/discord/directory.ts";
import { createWording } from "../../src/discord/wording.ts";

/** Of a bot without commands, whose operator has named no service: changes nothing. */
export function plainWording() {
  return createWording({
    directory: createCommandDirectory(() => []),
    ids: new Map(),
    names: { style: undefined, video: undefined, "train data": undefined },
  });
}
