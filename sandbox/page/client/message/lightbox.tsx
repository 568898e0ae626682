// A picture as large as the window allows.
import { Dialog } from "../kit/dialog.tsx";
import { Icon } from "../kit/icon.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import { lightbox } from "../state/layers.ts";

const close = () => {
  lightbox.value = undefined;
};

export function Lightbox() {
  const { url, description } = lightbox.value ?? {};
  return url === undefined ? null : (
    <Dialog label={description || "Picture"} class="lightbox" closedBy="any" onClose={close}>
      <img src={url} alt={description} />
      <div class="row">
        <span class="rest">{description}</span>
        <a
          class="icon-button"
          href={url}
          target="_blank"
          rel="noopener noreferrer"
          aria-label="Open in a new tab"
        >
          <Icon name="out" />
        </a>
        <IconButton icon="close" label="Close" onClick={close} />
      </div>
    </Dialog>
  );
}
