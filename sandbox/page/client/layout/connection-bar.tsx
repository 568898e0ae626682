// Says that the sandbox is not heard.
import { connection } from "../state/live.ts";

export function ConnectionBar() {
  return connection.value === "lost" ? (
    <p class="connection-bar" role="alert">
      The sandbox does not answer. Is <code>npm run sandbox</code> running? This page goes on by itself.
    </p>
  ) : null;
}
