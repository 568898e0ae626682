// Loads whatever the bot may load and ends, so that all of it is kept compiled: see main.js.
import { keepCompiledCode, removeOtherVersions } from "./core/compiled-code.js";

keepCompiledCode();
await Promise.all([
  import("./start.ts"),
  import("./first-settings.ts"),
  import("./operations/metrics.ts"),
  import("./storage/sqlite.ts"),
  import("./storage/postgres.ts"),
]);
const { loadFormData, loadUndici } = await import("./core/late-libraries.ts");
loadFormData();
loadUndici();
const { compilePictureProgram } = await import("./render/picture-process.ts");
await compilePictureProgram();
const [{ COMMANDS_DIR }, { readCommands }] = await Promise.all([
  import("./app.ts"),
  import("./discord/read-commands.ts"),
]);
await readCommands(COMMANDS_DIR);
removeOtherVersions();
