import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { listen } from "../../sandbox/http/listen.ts";

/** A connection to the proxy, and the one that it opened to the server. If one closes, so does the other. */
export type Pair = readonly [near: Socket, far: Socket];

export interface TcpProxy extends AsyncDisposable {
  readonly port: number;
  /** The open connections. */
  readonly pairs: ReadonlySet<Pair>;
}

/** Listens on a free port of this machine and forwards to another port. `join` connects the two sockets. */
export async function openTcpProxy(targetPort: number, join: (...pair: Pair) => void): Promise<TcpProxy> {
  const pairs = new Set<Pair>();
  const server = createServer((near) => {
    const far = connect(targetPort, "127.0.0.1");
    const pair = [near, far] as const;
    pairs.add(pair);
    join(near, far);
    for (const socket of pair) {
      socket.on("error", () => undefined);
      socket.on("close", () => {
        pairs.delete(pair);
        near.destroy();
        far.destroy();
      });
    }
  });
  const { port } = new URL(await listen(server, 0));
  return {
    port: Number(port),
    pairs,
    async [Symbol.asyncDispose]() {
      for (const socket of [...pairs].flat()) {
        socket.destroy();
      }
      server.close();
      await once(server, "close");
    },
  };
}
