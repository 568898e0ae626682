// Offered to whoever reads further up.
import { Icon } from "../kit/icon.tsx";

export function JumpToEnd({ onJump }: { readonly onJump: () => void }) {
  return (
    <button type="button" class="jump-to-end" onClick={onJump}>
      You’re looking at older messages
      <span>
        Jump to present <Icon name="down" />
      </span>
    </button>
  );
}
