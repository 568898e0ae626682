import type { Server } from "node:http";
import type { Server as NetServer } from "node:net";

/** Listens on 127.0.0.1; port 0 takes a free one. Returns e.g. `http://127.0.0.1:4000`. */
export async function listen(server: NetServer, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") {
    throw new Error("The server is not listening on a port");
  }
  return `http://127.0.0.1:${address.port}`;
}

/** Closes the server and all connections to it. */
export async function close(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
