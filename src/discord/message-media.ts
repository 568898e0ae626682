// Finds every picture and file that a message shows: in attachments, embeds, components and a message that it forwards.
// Other bots' components may have any shape, so the code assumes nothing about them.
import { z } from "zod";
import type { Media, MessageReference } from "./define/context.ts";
import type { RawContents, RawMessage } from "./interaction.ts";

/** https://discord.com/developers/docs/components/reference#unfurled-media-item */
const media = z.object({ url: z.url(), content_type: z.string().nullish() });

/** A gallery's item or a thumbnail has `media`, a file block has `file`. */
const holder = z.object({
  media: media.optional(),
  file: media.optional(),
  description: z.string().nullish(),
  spoiler: z.boolean().nullish(),
});

const embed = z.object({ image: media.optional(), thumbnail: media.optional() });

/** Deep enough for all components: containers are never inside each other. */
const MAX_DEPTH = 8;

/** Without duplicates, in the order found. A file that is shown twice is a spoiler if it is one anywhere. */
function listMedia(raw: RawMessage): readonly Media[] {
  const parts = [raw, ...raw.message_snapshots.map(({ message }) => message)];
  // Links to the same file may have been signed at different times.
  const files = Map.groupBy(parts.flatMap(mediaIn), ({ url }) => url.replace(/[?#].*$/, ""));
  return [...files.values()].map((same) =>
    same.reduce((one, other) => ({
      ...one,
      spoiler: one.spoiler || other.spoiler,
      description: one.description ?? other.description,
    })),
  );
}

const LINK = /https?:\/\//;

/** Between double bars, Discord hides what a link shows, but does not say which embed belongs to which link. */
function hidesLink(content: string): boolean {
  const between = content.split("||").slice(1, -1);
  return between.some((part) => LINK.test(part));
}

function mediaIn({ content, attachments, embeds, components }: RawContents): readonly Media[] {
  const spoiler = hidesLink(content);
  return [
    ...attachments,
    ...embeds.flatMap((each) => {
      const { image, thumbnail } = embed.safeParse(each).data ?? {};
      return [image, thumbnail].flatMap((shown) => (shown ? [createMedia(shown, { spoiler })] : []));
    }),
    ...mediaInComponents(components, 0),
  ];
}

function mediaInComponents(value: unknown, depth: number): readonly Media[] {
  if (depth > MAX_DEPTH || typeof value !== "object" || value === null) {
    return [];
  }
  if (Array.isArray(value)) {
    return value.flatMap((each) => mediaInComponents(each, depth + 1));
  }
  const { data } = holder.safeParse(value);
  const shown = data?.media ?? data?.file;
  return data && shown
    ? [createMedia(shown, data)]
    : Object.values(value).flatMap((inner) => mediaInComponents(inner, depth + 1));
}

function createMedia(
  { url, content_type: contentType }: z.infer<typeof media>,
  { description, spoiler }: Partial<z.infer<typeof holder>>,
): Media {
  return {
    name: decodeFileName(new URL(url).pathname.split("/").at(-1) ?? ""),
    url,
    sizeBytes: 0,
    contentType: contentType ?? undefined,
    spoiler: spoiler ?? false,
    description: description ?? undefined,
  };
}

export function createMessageReference(raw: RawMessage): MessageReference {
  return {
    id: raw.id,
    channelId: raw.channel_id,
    content: raw.content,
    attachments: raw.attachments,
    // A getter, because few handlers need it, and it takes time for a long message.
    get media() {
      return listMedia(raw);
    },
  };
}

/** Decodes a file's name from a link. A name with a stray per cent sign is returned unchanged. */
export function decodeFileName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
