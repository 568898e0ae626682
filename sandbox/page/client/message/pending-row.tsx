// A command on its way to the bot, or one that it did not answer.
import { Avatar } from "../kit/avatar.tsx";
import { Icon } from "../kit/icon.tsx";
import { dropPending, type Pending } from "../state/pending.ts";
import { personOf, scene } from "../state/scene.ts";
import { Dots } from "./thinking.tsx";

export function PendingRow({ pending: { key, what, problem, retry } }: { readonly pending: Pending }) {
  const { botId = "", me } = scene.value ?? {};
  const bot = personOf(botId)?.name ?? "The bot";
  return (
    <li class="message pending">
      {me !== undefined && (
        <div class="reply-line">
          <Avatar id={me.id} name={me.name} isBot={false} size="small" />
          <span class="reply-author">{me.name}</span> used <span class="used-command">{what}</span>
        </div>
      )}
      <div class="message-frame">
        <Avatar id={botId} name={bot} isBot />
        <div class="message-main">
          <header class="message-header">
            <span class="author">{bot}</span>
            <span class="app-tag">App</span>
          </header>
          {problem === undefined ? (
            <p class="thinking">
              <Dots /> Sending command…
            </p>
          ) : (
            <>
              <p class="failure" role="alert">
                <Icon name="alarm" />
                {problem}
              </p>
              <p class="only-you">
                <Icon name="eye" />
                Only you can see this ·{" "}
                <button type="button" class="link-button" onClick={retry}>
                  Try again
                </button>{" "}
                ·{" "}
                <button type="button" class="link-button" onClick={() => dropPending(key)}>
                  Dismiss message
                </button>
              </p>
            </>
          )}
        </div>
      </div>
    </li>
  );
}
