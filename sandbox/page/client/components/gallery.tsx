// Pictures and films of components: one to ten together, or a small one at the side.
import type { Component } from "../../../control/chat/api.ts";
import { Picture } from "../message/picture.tsx";
import { lightbox, type Shown } from "../state/layers.ts";
import { isSet, textField } from "./fields.ts";
import { resolveMedia, type Surface } from "./surface.ts";
import { Veil } from "./veil.tsx";

interface GalleryProps {
  readonly gallery: Component;
  readonly surface: Surface;
}

/** Laid out by how many there are, see gallery.css. */
export function Gallery({ gallery, surface }: GalleryProps) {
  const items: readonly unknown[] = Array.isArray(gallery["items"]) ? gallery["items"] : [];
  const shown = items.map((item) => shownOf(item, surface));
  return (
    <div class={`gallery count-${Math.min(items.length, 10)}`}>
      {items.map((item, index) => (
        <GalleryItem
          key={index}
          item={item}
          surface={surface}
          onOpen={() => {
            lightbox.value = { items: shown, index };
          }}
        />
      ))}
    </div>
  );
}

interface ItemProps {
  readonly item: unknown;
  readonly surface: Surface;
  readonly onOpen: () => void;
}

function GalleryItem({ item, surface, onOpen }: ItemProps) {
  const { url, attachment } = resolveMedia(mediaOf(item), surface);
  const { description, isFilm } = shownOf(item, surface);
  return (
    <div class="gallery-item">
      <Veil isOn={isSet(item, "spoiler") || attachment?.spoiler === true}>
        {isFilm ? (
          <video src={url} controls preload="metadata" aria-label={description} />
        ) : (
          <Picture
            url={url}
            description={description}
            width={attachment?.width}
            height={attachment?.height}
            onOpen={onOpen}
          />
        )}
      </Veil>
    </div>
  );
}

export function Thumbnail({ item, surface }: { readonly item: Component; readonly surface: Surface }) {
  const shown = shownOf(item, surface);
  return (
    <div class="thumbnail">
      <Veil isOn={isSet(item, "spoiler")}>
        <Picture
          url={shown.url}
          description={shown.description}
          onOpen={() => {
            lightbox.value = { items: [shown], index: 0 };
          }}
        />
      </Veil>
    </div>
  );
}

const mediaOf = (item: unknown): unknown =>
  typeof item === "object" && item !== null && "media" in item ? item.media : undefined;

function shownOf(item: unknown, surface: Surface): Shown {
  const media = mediaOf(item);
  const { url, attachment } = resolveMedia(media, surface);
  return {
    url,
    description: textField(item, "description") || (attachment?.description ?? ""),
    // What stands elsewhere is no attachment: Discord says with it what it is.
    isFilm: (attachment?.contentType ?? textField(media, "content_type")).startsWith("video/"),
  };
}
