// Ends the program with a sentence instead of a stack if this version of Node is too old, and adds Temporal if Node lacks it.
// package.json imports this file before each of the bot's programs, because an old Node cannot even load their TypeScript.

/** The same as `engines` in package.json. */
const OLDEST_NODE = 24;
/** The same as in core/errors.ts, which old versions of Node cannot load. */
const EXIT_CONFIG = 78;

if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  process.stderr.write(
    `Signalbox needs Node ${OLDEST_NODE} or later, and this is Node ${process.versions.node}. Install a newer one, or run \`npm ci\` without options: it installs the right one, which \`npm start\` and the other scripts then use.\n`,
  );
  process.exit(EXIT_CONFIG);
}

// Node has had Temporal since version 26.
if (!("Temporal" in globalThis)) {
  const { install } = await import("temporal-polyfill/shim");
  install();
}
