// A picture or film as large as the window allows; arrows lead to its neighbours.
import { Dialog } from "../kit/dialog.tsx";
import { Icon } from "../kit/icon.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import { lightbox } from "../state/layers.ts";

const close = () => {
  lightbox.value = undefined;
};

export function Lightbox() {
  const opened = lightbox.value;
  const item = opened?.items[opened.index];
  if (opened === undefined || item === undefined) {
    return null;
  }
  const { items, index } = opened;
  const step = (by: number) => {
    lightbox.value = { items, index: (index + by + items.length) % items.length };
  };
  const hasNeighbours = items.length > 1;
  return (
    <Dialog label={item.description || "Picture"} class="lightbox" closesOutside onClose={close}>
      <div
        class="lightbox-stage"
        onKeyDown={({ key }) => {
          if (hasNeighbours && (key === "ArrowLeft" || key === "ArrowRight")) {
            step(key === "ArrowLeft" ? -1 : 1);
          }
        }}
      >
        {item.isFilm ? (
          <video src={item.url} controls aria-label={item.description} />
        ) : (
          <img src={item.url} alt={item.description} />
        )}
        {item.description !== "" && <p class="lightbox-words">{item.description}</p>}
        <div class="lightbox-bar row">
          {hasNeighbours && <IconButton icon="left" label="Previous" onClick={() => step(-1)} />}
          {hasNeighbours && (
            <span aria-live="polite">
              {index + 1} of {items.length}
            </span>
          )}
          {hasNeighbours && <IconButton icon="right" label="Next" onClick={() => step(1)} />}
          <a
            class="icon-button"
            href={item.url}
            target="_blank"
            rel="noopener noreferrer"
            aria-label="Open in a new tab"
          >
            <Icon name="out" />
          </a>
          <IconButton icon="close" label="Close" onClick={close} />
        </div>
      </div>
    </Dialog>
  );
}
