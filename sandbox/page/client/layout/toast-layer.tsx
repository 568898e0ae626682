// The short word at the bottom.
import { toast } from "../state/toast.ts";

export function ToastLayer() {
  const shown = toast.value;
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown !== undefined && <p class={`toast ${shown.tone}`}>{shown.text}</p>}
    </div>
  );
}
