import { type Reply, buttonTo, plainReply, textReply } from "../core/reply.ts";
import type { PersonalData } from "./privacy.ts";

const ERASURE = "a note of your id and of when I erased your data";
const FILE = "signalbox-my-data.json";

export function exportedView(data: PersonalData): Reply {
  const { erasures, ...kept } = data.kept;
  const count = Object.values(kept).reduce((sum, rows) => sum + rows.length, 0);
  const text =
    count === 0
      ? `I keep nothing about you${erasures === undefined ? "" : `, except ${ERASURE}`}. I answer what you ask, then forget it. The attached file shows that.`
      : `This is everything I keep about you: ${count === 1 ? "one entry" : `${count} entries`}. To erase it, use \`/privacy erase\`.`;
  const bytes = new TextEncoder().encode(`${JSON.stringify(data, undefined, 2)}\n`);
  return {
    ...plainReply([text, { type: "file", file: FILE }], "private"),
    files: [{ name: FILE, bytes, description: "Everything I keep about you" }],
  };
}

export function confirmEraseView(): Reply {
  return textReply(
    "### Erase everything I keep about you?\nThis takes effect at once, in every server, and can't be undone. Your watches stop, even those that alert a channel, and your videos that still wait for approval are withdrawn. Everything else that you've set up for a server stays there without your name. So do the entries in its video history (`/video settings`, **History**), which I delete after a year. To see your data first, use `/privacy export`.",
    "private",
    [
      buttonTo("Erase everything", { command: "privacy/erase", action: "confirm" }, { style: "danger" }),
      buttonTo("Keep it", { command: "privacy/erase", action: "cancel" }),
    ],
  );
}

export function erasedView(): Reply {
  return textReply(
    `Done. I keep only ${ERASURE}. If a backup made before that is restored, the note lets me erase your data again. I delete the note once no such backup is left. Entries in a server's video history stay, without your name, until they're a year old. I've also forgotten whether I may remember the stations and styles you choose: if you don't want that, use \`/privacy lists\` with \`remember: False\`.`,
    "private",
  );
}

export function listsView(remembers: boolean): Reply {
  return textReply(
    remembers
      ? "From now on, stations and styles that you choose come first in your lists. To stop that, use `/privacy lists` with `remember: False`."
      : "I've forgotten which stations and styles you chose, and I won't remember new ones.",
    "private",
  );
}
