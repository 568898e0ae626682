// Somebody of the audience speaks.
import { useSignal, type Signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { VideoComment } from "../../../../control/api/video.ts";
import { useBusy } from "../../components/use-busy.ts";
import { settled } from "../parts/use-live.ts";
import { say } from "./video-state.ts";

interface CommentBoxProps {
  readonly videoId: string;
  /** The comment that is answered; `undefined`: the film itself is spoken of. */
  readonly answered: Signal<VideoComment | undefined>;
}

export function CommentBox({ videoId, answered }: CommentBoxProps) {
  const message = useSignal("");
  const name = useSignal("");
  const [isBusy, begin] = useBusy();
  const box = useRef<HTMLInputElement>(null);
  const to = answered.value;
  useEffect(() => {
    if (to !== undefined) {
      box.current?.focus();
    }
  }, [to]);
  const send = async () => {
    const who = name.value.trim();
    const comment = { aboutId: to?.id ?? videoId, message: message.value.trim() };
    await say(who === "" ? comment : { ...comment, name: who });
    message.value = "";
    answered.value = undefined;
  };
  return (
    <form
      class="comment-box"
      onSubmit={(event) => {
        event.preventDefault();
        if (message.value.trim() !== "") {
          begin(() => settled(send()));
        }
      }}
    >
      {to !== undefined && (
        <p class="subtext">
          Replying to “{to.message.slice(0, 60)}”{" "}
          <button
            type="button"
            class="link-button"
            onClick={() => {
              answered.value = undefined;
            }}
          >
            Cancel reply
          </button>
        </p>
      )}
      <input
        class="input"
        aria-label="Your name as a viewer (optional)"
        placeholder="Name (optional)"
        maxLength={80}
        value={name.value}
        onInput={({ currentTarget }) => {
          name.value = currentTarget.value;
        }}
      />
      <div class="comment-line">
        <input
          ref={box}
          class="input"
          aria-label="Comment as a viewer"
          placeholder="Comment as a viewer"
          maxLength={8000}
          value={message.value}
          onInput={({ currentTarget }) => {
            message.value = currentTarget.value;
          }}
        />
        <button type="submit" class={`button primary ${isBusy ? "busy" : ""}`}>
          <span>Say</span>
        </button>
      </div>
    </form>
  );
}
