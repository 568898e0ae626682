// Makes a program's bundle, loads whatever may be loaded later and ends, so that all of it is kept compiled: see
// core/compiled-code.js. Its arguments are the program's entry and folders; without any, the bot's.
import { readdirSync } from "node:fs";
import { BOT, bundleOf, filesOf, cacheCompiledCode, removeOutdated } from "./core/compiled-code.js";

/** What the bot loads late, beside its commands. */
const LATE = [
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
  // The bundler is not installed, or a source is wrong: then the sources are loaded, and say what is wrong.
}
cacheCompiledCode();
const { file, folder, commands, isBundle } = filesOf(program);
const modules = isBundle ? modulesIn(folder) : [program.entry, ...LATE].map(file).concat(modulesIn(commands));
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
