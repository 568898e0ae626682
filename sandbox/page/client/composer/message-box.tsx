// The composer while a plain message is being written. A slash starts a command.
import { useEffect, useRef, useState } from "preact/hooks";
import type { SceneChannel } from "../../../control/chat/api.ts";
import { readCommandLine } from "../command/command-line.ts";
import { beginDraft } from "../command/draft.ts";
import { namesFor, mentionAt } from "../command/mentions.ts";
import { offerCommands } from "../command/offers.ts";
import { Icon } from "../kit/icon.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import { titleOf } from "../chat/channel-title.ts";
import {
  directory,
  draft,
  files,
  focusPlace,
  MORE,
  MAX_CHARACTERS,
  problem,
  replyTo,
  runnables,
  startCommand,
  text,
  TEXT,
  useRequestedFocus,
} from "./draft-state.ts";
import { addFiles, chooseFiles } from "./files.ts";
import { OfferBox, useOffers, type Offered } from "./offers.tsx";
import { sendMessage } from "./send.ts";

export function MessageBox({ channel }: { readonly channel: SceneChannel }) {
  const input = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState(0);
  const value = text.value;
  const moveTo = (at: number) => {
    // Moving the caret below causes no `select` event, because it selects nothing.
    setCaret(at);
    // Waits until the textarea contains the new text.
    requestAnimationFrame(() => input.current?.setSelectionRange(at, at));
  };
  const offered = value.startsWith("/") ? commandOffers(value) : nameOffers(value, caret, moveTo);
  const topic = value.startsWith("/") ? value : (mentionAt(value, caret)?.typed ?? "none");
  const offers = useOffers("offers", topic, offered);
  useRequestedFocus(TEXT, input);
  useEffect(() => input.current?.focus({ preventScroll: true }), [channel.id]);
  const write = (node: HTMLTextAreaElement) => {
    setCaret(node.selectionStart);
    problem.value = "";
    if (!beginTypedCommand(node.value)) {
      text.value = node.value;
    }
  };
  const title = titleOf(channel);
  const isEmpty = value.trim() === "" && files.value.length === 0;
  return (
    <>
      {offers.isOpen && <OfferBox offers={offers} label={value.startsWith("/") ? "Commands" : "Names"} />}
      <div class="composer-line row">
        <IconButton
          icon="plus"
          label="Attach files"
          onClick={() => void chooseFiles({ isMultiple: true }).then(addFiles)}
        />
        <textarea
          ref={input}
          class="composer-text rest"
          rows={1}
          aria-label={`Message ${title}`}
          {...offers.input}
          aria-haspopup="listbox"
          aria-describedby="composer-problem"
          placeholder={
            channel.canWrite ? `Message ${title}` : `You can't write in ${title}, but / still works`
          }
          maxLength={MAX_CHARACTERS}
          enterkeyhint="send"
          value={value}
          onInput={(event) => write(event.currentTarget)}
          onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
          onKeyDown={(event) => {
            if (offers.handleKey(event)) {
              return;
            }
            if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
              event.preventDefault();
              void sendMessage();
            } else if (event.key === "Escape") {
              replyTo.value = undefined;
            }
          }}
        />
        <button
          type="button"
          class="icon-button send primary"
          aria-label="Send message"
          title="Send message"
          aria-disabled={isEmpty}
          onClick={() => void sendMessage()}
        >
          <Icon name="send" />
        </button>
      </div>
    </>
  );
}

/** Turns typed text into a command draft if it begins with a command's full name. Returns whether it did. */
function beginTypedCommand(value: string): boolean {
  const written = readCommandLine(value, runnables.value);
  if (written === undefined || value.includes("\n")) {
    return false;
  }
  draft.value = beginDraft(written.runnable, written.values);
  text.value = "";
  focusPlace(draft.value.values.at(written.values.length === 0 ? 0 : -1)?.option.name ?? MORE);
  return true;
}

function commandOffers(value: string): Offered[] {
  return offerCommands(value.slice(1), runnables.value).map((runnable) => ({
    option: {
      key: runnable.name,
      label: `/${runnable.name}`,
      detail: runnable.description,
      lead: <Icon name="slash" />,
    },
    take() {
      text.value = "";
      startCommand(runnable.name);
    },
  }));
}

function nameOffers(value: string, caret: number, moveTo: (at: number) => void): Offered[] {
  const mention = mentionAt(value, caret);
  if (mention === undefined) {
    return [];
  }
  return namesFor(mention, directory.value).map((offer) => ({
    option: { key: String(offer.value), label: offer.name },
    take() {
      const written = `${mention.sign}${offer.name} `;
      text.value = value.slice(0, mention.start) + written + value.slice(caret);
      moveTo(mention.start + written.length);
    },
  }));
}
