// A file of a message, as far as a browser can show or play it.
import { Veil } from "../components/veil.tsx";
import type { Attachment } from "../components/surface.ts";
import { Icon } from "../kit/icon.tsx";
import { lightbox } from "../state/layers.ts";
import { formatSize } from "../text/size.ts";
import { Picture } from "./picture.tsx";

/** Always with its name, as the file component shows it. */
export function MediaFile({
  attachment,
  isSpoiler,
}: {
  readonly attachment: Attachment;
  readonly isSpoiler: boolean;
}) {
  return (
    <Veil isOn={isSpoiler || attachment.spoiler}>
      <FileCard attachment={attachment} />
    </Veil>
  );
}

/** Pictures and films are shown; everything else has its name. */
export function AttachmentView({ attachment }: { readonly attachment: Attachment }) {
  const { contentType = "", filename, url, description, spoiler, width, height } = attachment;
  const words = description ?? filename;
  if (contentType.startsWith("image/")) {
    return (
      <Veil isOn={spoiler}>
        <div class="attachment">
          <Picture
            url={url}
            description={words}
            width={width}
            height={height}
            onOpen={() => {
              lightbox.value = { items: [{ url, description: words, isFilm: false }], index: 0 };
            }}
          />
        </div>
      </Veil>
    );
  }
  if (contentType.startsWith("video/")) {
    return (
      <Veil isOn={spoiler}>
        <div class="attachment">
          <video src={url} controls preload="metadata" aria-label={words} />
        </div>
      </Veil>
    );
  }
  return <MediaFile attachment={attachment} isSpoiler={spoiler} />;
}

function FileCard({ attachment }: { readonly attachment: Attachment }) {
  const { contentType = "", filename, url, size } = attachment;
  const isSound = contentType.startsWith("audio/");
  return (
    <div class="file-card row">
      <Icon name={isSound ? "sound" : "file"} class="file-sign soft" />
      <div class="file-words stack">
        <a href={url} download={filename}>
          {filename}
        </a>
        <span class="subtext">{formatSize(size)}</span>
        {isSound && <audio src={url} controls preload="metadata" aria-label={filename} />}
      </div>
      <a class="icon-button" href={url} download={filename} aria-label={`Download ${filename}`}>
        <Icon name="download" />
      </a>
    </div>
  );
}
