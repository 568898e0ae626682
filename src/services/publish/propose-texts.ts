// What may be said of a video, where nobody has said anything yet.
import { cutLine } from "../../core/cut-text.ts";

/** What the video service takes. */
const LONGEST_TITLE = 255;

/** Names that cameras and phones give say nothing, e.g. `VID_20261118_173000`, `IMG_0042`, `video0`. */
const BY_MACHINE =
  /^(?:(?:vid|img|dsc|dscn|mov|mvi|gopr|pxl|video|screen ?recording|untitled)[\s\d-]*|[\d\s-]+)$/i;

/** A file's name without its end, in words; `undefined` where it says nothing. */
export function proposeTitle(fileName: string): string | undefined {
  const name = fileName
    .replace(/\.[^.]{1,5}$/, "")
    .replace(/[_\s]+/g, " ")
    .trim();
  return name === "" || BY_MACHINE.test(name) ? undefined : cutLine(name, LONGEST_TITLE);
}

/** What a person has written beside their video, without mentions; `undefined` where that is nothing. */
export function proposeDescription(content: string): string | undefined {
  const words = content.replace(/<[@#][!&]?\d+>/g, "").trim();
  return words === "" ? undefined : words;
}
