// A way to a server that can be cut: connections that break, close, or fall silent.
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** `reset`: a RST, as from a machine that was restarted. `close`: a FIN. `silence`: nothing arrives any more, as half open. */
export type Cut = "reset" | "close" | "silence";

export interface CuttableProxy extends AsyncDisposable {
  readonly port: number;
  /** Cuts all connections that there are. New ones work. */
  cut(how: Cut): void;
}

/** Listens on a free port of this machine, and leads to another one. */
export async function openCuttableProxy(targetPort: number): Promise<CuttableProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  const server = createServer((near) => {
    const far = connect(targetPort, "127.0.0.1");
    const pair = [near, far] as const;
    pairs.add(pair);
    near.pipe(far).pipe(near);
    for (const socket of pair) {
      socket.on("error", () => undefined);
      socket.on("close", () => {
        pairs.delete(pair);
        near.destroy();
        far.destroy();
      });
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    cut(how) {
      for (const [near, far] of pairs) {
        near.unpipe(far);
        far.unpipe(near);
        if (how === "reset") {
          near.resetAndDestroy();
        } else if (how === "close") {
          near.end(() => far.destroy());
        } else {
          near.pause();
          far.pause();
        }
      }
    },
    async [Symbol.asyncDispose]() {
      for (const pair of pairs) {
        for (const socket of pair) {
          socket.destroy();
        }
      }
      server.close();
      await once(server, "close");
    },
  };
}
