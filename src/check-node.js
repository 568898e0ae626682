// Ends a program of the bot on a Node that cannot run it, with a sentence instead of a stack, and gives one that can what it
// lacks. package.json has it imported before each of them: an older Node could not even load their TypeScript.

/** Stands in package.json as `engines` too. */
const OLDEST_NODE = 24;
/** That of core/errors.ts, which older versions of Node cannot load. */
const EXIT_CONFIG = 78;

if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  process.stderr.write(
    `Signalbox needs Node ${OLDEST_NODE} or later, and this is Node ${process.versions.node}. Install a newer one, or run \`npm ci\` without options: it brings the right one, which \`npm start\` and the other scripts then use.\n`,
  );
  process.exit(EXIT_CONFIG);
}

// Node has Temporal from 26 on.
if (!("Temporal" in globalThis)) {
  const { install } = await import("temporal-polyfill/shim");
  install();
}
