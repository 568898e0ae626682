// A command on its way to the bot, or one that it did not answer.
import { Avatar } from "../kit/avatar.tsx";
import { Icon } from "../kit/icon.tsx";
import { dropPending, type Pending } from "../state/acts.ts";
import { personOf, scene } from "../state/scene.ts";
import { UsedLine } from "./reply-line.tsx";

export function PendingRow({ pending: { key, what, problem, retry } }: { readonly pending: Pending }) {
  const { botId = "", me } = scene.value ?? {};
  const bot = personOf(botId)?.name ?? "The bot";
  return (
    <li class="message">
      {me !== undefined && <UsedLine used={{ userId: me.id, command: what }} />}
      <div class="message-frame">
        <Avatar name={bot} isBot />
        <div class="rest">
          <header class="message-header row">
            <strong>{bot}</strong>
            <span class="app-tag">App</span>
          </header>
          {problem === undefined ? (
            <p class="soft">Sending command…</p>
          ) : (
            <>
              <p class="message-note row alarm" role="alert">
                <Icon name="alarm" />
                {problem}
              </p>
              <p class="message-note row subtext">
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
