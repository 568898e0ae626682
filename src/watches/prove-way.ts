// The first direct message of a watch: it proves that the next one will come through.
import { UserError } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import { formatNonce } from "../delivery/nonce.ts";
import { type Messenger, MessengerError } from "../core/ports.ts";
import type { PresentWelcome, Watch } from "./watches.ts";

/** What proving stands on. */
export interface ProveWayDependencies {
  readonly messenger: Pick<Messenger, "dm">;
  readonly welcome: PresentWelcome;
  readonly log: Log;
}

/**
 * Writes to the owner of a watch that tells them in direct messages. `sinceMs`, when it became active, keeps two tries
 * from becoming two messages. Throws a UserError that says what to do where the person takes none. Another failure says
 * nothing about the next time, and is left alone.
 */
export async function proveWay(
  { messenger, welcome, log }: ProveWayDependencies,
  watch: Watch,
  sinceMs: number,
): Promise<void> {
  if (watch.target.kind !== "dm") {
    return;
  }
  try {
    await messenger.dm(watch.ownerId, welcome(watch), { nonce: formatNonce("watch", watch.id, sinceMs) });
  } catch (error) {
    if (!(error instanceof MessengerError)) {
      throw error;
    }
    if (error.problem === "dm-closed") {
      throw new UserError(
        "I cannot write to you, so I would have no way to tell you. Allow direct messages from members of this server in its privacy settings, or add me to your apps, and try again.",
      );
    }
    log.warn({ error, watch: watch.id }, "the first message of a watch did not come through");
  }
}
