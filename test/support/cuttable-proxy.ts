// A TCP proxy whose connections can be cut: reset, closed, or silent.
import { openTcpProxy, type TcpProxy } from "./tcp-proxy.ts";

/**
 * `reset`: a RST, as from a machine that was restarted. `close`: a FIN. `silence`: nothing arrives any more, as on a
 * half-open connection.
 */
export type Cut = "reset" | "close" | "silence";

export interface CuttableProxy extends TcpProxy {
  /** Cuts all open connections. New ones work. */
  cut(how: Cut): void;
}

/** Listens on a free port of this machine and forwards to another port. */
export async function openCuttableProxy(targetPort: number): Promise<CuttableProxy> {
  const proxy = await openTcpProxy(targetPort, (near, far) => near.pipe(far).pipe(near));
  return {
    ...proxy,
    cut(how) {
      for (const [near, far] of proxy.pairs) {
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
  };
}
