// A picture as large as the window allows; a press anywhere, or Escape, closes it.
import { Dialog } from "../kit/dialog.tsx";
import { lightbox } from "../state/layers.ts";

const close = () => {
  lightbox.value = undefined;
};

export function Lightbox() {
  const { url, description } = lightbox.value ?? {};
  return url === undefined ? null : (
    <Dialog label={description || "Picture"} class="lightbox" closedBy="any" onClose={close}>
      <img src={url} alt={description} onClick={close} />
    </Dialog>
  );
}
