// Pictures, videos and files of a message. Spoilers are hidden until somebody presses them.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Attachment } from "../components/surface.ts";
import { Icon } from "../kit/icon.tsx";
import { lightbox } from "../state/layers.ts";
import { formatSize } from "../text/size.ts";
import { Dialog } from "../kit/dialog.tsx";

interface VeilProps {
  readonly isOn: boolean;
  readonly children: ComponentChildren;
}

export function Veil({ isOn, children }: VeilProps) {
  const [isShown, setShown] = useState(false);
  if (!isOn || isShown) {
    return <>{children}</>;
  }
  return (
    <div class="veil">
      <div class="veiled" inert>
        {children}
      </div>
      <button type="button" class="button veil-button" onClick={() => setShown(true)}>
        Spoiler
        <span class="hidden">: show it</span>
      </button>
    </div>
  );
}

export interface Media {
  readonly url: string;
  readonly description: string;
  readonly isFilm: boolean;
  readonly isSpoiler: boolean;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/** A picture opens large when pressed. */
export function MediaView({ url, description, isFilm, isSpoiler, width, height }: Media) {
  return (
    <Veil isOn={isSpoiler}>
      {isFilm ? (
        <video src={url} controls preload="metadata" aria-label={description} />
      ) : (
        <button
          type="button"
          class="picture"
          aria-haspopup="dialog"
          onClick={() => {
            lightbox.value = { url, description };
          }}
        >
          <img
            src={url}
            alt={description || "A picture without a description"}
            width={width}
            height={height}
            loading="lazy"
            decoding="async"
          />
        </button>
      )}
    </Veil>
  );
}

export function AttachmentView({ attachment }: { readonly attachment: Attachment }) {
  const { contentType = "", filename, url, description, spoiler, width, height } = attachment;
  const isFilm = contentType.startsWith("video/");
  return isFilm || contentType.startsWith("image/") ? (
    <div class="attachment">
      <MediaView
        url={url}
        description={description ?? filename}
        isFilm={isFilm}
        isSpoiler={spoiler}
        width={width}
        height={height}
      />
    </div>
  ) : (
    <FileCard attachment={attachment} isSpoiler={spoiler} />
  );
}

interface FileCardProps {
  readonly attachment: Attachment;
  readonly isSpoiler: boolean;
}

export function FileCard({ attachment: { filename, url, size }, isSpoiler }: FileCardProps) {
  return (
    <Veil isOn={isSpoiler}>
      <div class="file-card card row">
        <Icon name="file" />
        <a class="rest clip" href={url} download={filename}>
          {filename}
        </a>
        <span class="subtext">{formatSize(size)}</span>
      </div>
    </Veil>
  );
}

const close = () => {
  lightbox.value = undefined;
};

/** The open picture, as large as the window allows. A press anywhere, or Escape, closes it. */
export function Lightbox() {
  const { url, description } = lightbox.value ?? {};
  return url === undefined ? null : (
    <Dialog label={description || "Picture"} class="lightbox" closedBy="any" onClose={close}>
      <img src={url} alt={description} onClick={close} />
    </Dialog>
  );
}
