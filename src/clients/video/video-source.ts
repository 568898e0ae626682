// A video on its way: never held, read where and when it is needed.
import type { FileSource } from "../../core/file-source.ts";

/** What is said of a video when it is published. */
export interface VideoDetails {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** When the service is to publish it, in milliseconds since the epoch; `undefined` for at once. */
  readonly publishAtMs?: number | undefined;
}

/** What the service takes, by the ends of names. */
const EXTENSIONS: ReadonlySet<string> = new Set(
  "3g2 3gp 3gpp asf avi dat divx dv f4v flv gif m2ts m4v mkv mod mov mp4 mpe mpeg mpeg4 mpg mts nsv ogm ogv qt tod ts vob webm wmv".split(
    " ",
  ),
);

const BY_TYPE: Readonly<Record<string, string>> = {
  "video/quicktime": "mov",
  "video/x-matroska": "mkv",
  "video/webm": "webm",
  "video/x-msvideo": "avi",
  "video/x-ms-wmv": "wmv",
  "video/mpeg": "mpg",
  "video/3gpp": "3gp",
};

/** A neutral name with the right end, without which the service refuses the file (its error 352). */
export function nameVideo({ fileName, contentType }: Pick<FileSource, "fileName" | "contentType">): string {
  const [, extension = ""] = /\.(\w+)$/.exec(fileName.toLowerCase()) ?? [];
  return `video.${EXTENSIONS.has(extension) ? extension : (BY_TYPE[contentType] ?? "mp4")}`;
}

/** The form fields of what is said. Booleans are words there, times seconds. */
export function describeDetails({ title, description, publishAtMs }: VideoDetails): {
  readonly [name: string]: string | undefined;
} {
  return {
    title,
    description,
    ...(publishAtMs !== undefined && {
      published: "false",
      scheduled_publish_time: String(Math.round(publishAtMs / 1000)),
    }),
  };
}
