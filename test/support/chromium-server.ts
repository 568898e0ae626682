// One Chromium and one build of the page for a whole test run, started when the first test asks for them.
import type { TestProject } from "vitest/node";
import {
  findChromium,
  connectChromium,
  serveChromium,
  type BrowserServer,
} from "../../sandbox/visit/chromium.ts";
import { openOnDemandServer, type Started } from "./on-demand-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** An address that answers with a `SharedPage`, or with 503 and the reason why Chromium does not work. */
    chromiumUrl: string;
  }
}

/** The browser and files that tests of the page share. */
export interface SharedPage {
  /** The browser's WebSocket address. */
  readonly endpoint: string;
  /** The error if the page cannot be built. */
  readonly problem?: string;
  readonly files: readonly { readonly path: string; readonly base64: string }[];
}

/** The function for vitest's `globalSetup`. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await openOnDemandServer(start);
  project.provide("chromiumUrl", server.url);
  return () => server.close();
}

async function start(): Promise<Started> {
  // The same browser without windows of its own: the tests of the page take a seventh less processor time.
  const executablePath = findChromium(["chromium-headless-shell"]);
  if (executablePath === undefined) {
    throw new Error("there is no chromium on the PATH; install it, or name it in CHROMIUM");
  }
  const [server, page] = await Promise.all([startDriven(executablePath), build()]);
  return { answer: JSON.stringify({ endpoint: server.wsEndpoint(), ...page }), stop: () => server.close() };
}

/** Throws with a sentence if Chromium does not start or cannot open a page: some packages do not allow automation. */
async function startDriven(executablePath: string): Promise<BrowserServer> {
  let server: BrowserServer | undefined;
  try {
    server = await serveChromium(executablePath);
    const browser = await connectChromium(server.wsEndpoint());
    const page = await browser.newPage();
    await page.goto("about:blank");
    await browser.close();
    return server;
  } catch (error) {
    await server?.kill();
    const [reason] = String(error).split("\n");
    throw new Error(`${executablePath} cannot be controlled (${reason}); name another in CHROMIUM`, {
      cause: error,
    });
  }
}

async function build(): Promise<Pick<SharedPage, "files" | "problem">> {
  const { buildPage } = await import("../../sandbox/page/serve-page.ts");
  try {
    const files = await buildPage();
    return { files: files.map(({ path, bytes }) => ({ path, base64: bytes.toString("base64") })) };
  } catch (error) {
    return { files: [], problem: String(error) };
  }
}
