// A slow connection to a server, whose answers come in waves: statements sent together wait only once. So the number of waves
// is the number of round trips that somebody waits for one after the other.
import { openTcpProxy } from "./tcp-proxy.ts";

export interface RoundTrips extends AsyncDisposable {
  readonly port: number;
  /** How many waves come while `act` runs. Before and after, nothing is delayed. */
  readonly during: (act: () => Promise<unknown>) => Promise<number>;
}

/** A wave comes when the server has been silent for this long: everything that needs no earlier answer has been sent by then. */
const QUIET_MS = 20;

/** Listens on a free port of this machine, and leads to another one. */
export async function countRoundTrips(targetPort: number): Promise<RoundTrips> {
  let held: (() => void)[] = [];
  let count = 0;
  let isCounting = false;
  let timer: NodeJS.Timeout | undefined;

  function letGo(): void {
    count += 1;
    for (const pass of held.splice(0)) {
      pass();
    }
  }

  function take(pass: () => void): void {
    held.push(pass);
    clearTimeout(timer);
    timer = setTimeout(letGo, isCounting ? QUIET_MS : 0);
  }

  const proxy = await openTcpProxy(targetPort, (near, far) => {
    near.pipe(far);
    far.on("data", (bytes) => take(() => near.write(bytes)));
  });
  return {
    port: proxy.port,
    async during(act) {
      // What follows an answer, such as noting what was chosen, is over when nothing has come for a while.
      let last = -1;
      while (last !== count) {
        last = count;
        await new Promise((resolve) => setTimeout(resolve, 3 * QUIET_MS));
      }
      isCounting = true;
      await act();
      isCounting = false;
      return count - last;
    },
    async [Symbol.asyncDispose]() {
      held = [];
      await proxy[Symbol.asyncDispose]();
    },
  };
}
