// Bundles a program, loads every module that it may load later, and ends, so that the compiled code of all of them is
// cached: see core/compiled-code.js. The arguments are the program's entry and folders. Default: the bot's.
import { readdirSync } from "node:fs";
import { BOT, bundleOf, filesOf, cacheCompiledCode, removeOutdated } from "./core/compiled-code.js";

/** The modules that the bot loads late, besides its commands. */
const LATE_MODULES = [
  "src/app",
  "src/first-settings",
  "src/operations/metrics",
  "src/storage/sqlite",
  "src/storage/postgres",
];

const [entry, ...folders] = process.argv.slice(2);
const program = entry === undefined ? BOT : { entry, folders };
try {
  const { makeBundle } = await import("./core/make-bundle.js");
  await makeBundle(program, bundleOf(program));
} catch {
  // If the bundler is not installed or a source has an error, the sources are loaded instead; loading reports the error.
}
cacheCompiledCode();
const { file, folder, commands, isBundle } = filesOf(program);
const modules = isBundle
  ? modulesIn(folder)
  : [program.entry, ...LATE_MODULES].map(file).concat(modulesIn(commands));
await Promise.all(modules.map((module) => import(module)));
const { loadFormData, loadUndici } = await import("./core/late-libraries.ts");
loadFormData();
loadUndici();
const { compilePictureProgram } = await import("./render/picture-process.ts");
await compilePictureProgram();
removeOutdated();

/** @param {URL} parent */
function modulesIn(parent) {
  return readdirSync(parent, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.[jt]s$/.test(name))
    .map((name) => new URL(name, parent).href);
}
