// Checks the structure: which folder may import which, who may import which library, and what views may import.
import { readFileSync, readdirSync } from "node:fs";
import { join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { FOR_COMMANDS, IMPORTED_BY, IMPURE, MAY_IMPORT, PURE } from "./support/structure.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

interface Import {
  readonly from: string;
  readonly to: string;
}

function sourcesUnder(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.([jt]s|tsx)$/.test(path))
    .map((path) => normalize(join(folder, path)));
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(ROOT, file), "utf8");
  return [...text.matchAll(/(?:from|import\(|import)\s*"([^"]+)"/g)].map(([, specifier = ""]) => ({
    from: file,
    to: specifier.startsWith(".") ? normalize(join(file, "..", specifier)) : specifier,
  }));
}

const isIn = (path: string, place: string) =>
  path === place || path.startsWith(`${place}/`) || (place.startsWith("-") && path.endsWith(place));

function folderOf(path: string): string | undefined {
  return Object.keys(MAY_IMPORT)
    .filter((folder) => isIn(path, folder))
    .toSorted((a, b) => b.length - a.length)[0];
}

function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

const files = ["src", "commands", "sandbox"].flatMap(sourcesUnder);
const imports = files.flatMap(importsOf);

describe("the structure", () => {
  it("is checked in every folder", () => {
    const read = new Set(imports.map(({ from }) => folderOf(from)));
    expect(Object.keys(MAY_IMPORT).filter((folder) => !read.has(folder))).toEqual([]);
    expect(imports).toContainEqual({ from: "src/main.js", to: "src/core/compiled-code.js" });
  });

  it("only has imports that point down", () => {
    const upward = imports.filter(({ from, to }) => {
      const folder = folderOf(from);
      if (folder === undefined || !/\.tsx?$|^src\/.*\.js$/.test(to)) {
        return false; // Files that start and compose the bot are above the folders; packages are checked below.
      }
      return ![folder, ...(MAY_IMPORT[folder] ?? [])].some((place) => isIn(to, place));
    });
    expect(upward).toEqual([]);
  });

  it("restricts each library to the folders that may import it", () => {
    const elsewhere = imports.filter(({ from, to }) => {
      const places = IMPORTED_BY[packageOf(to)];
      return places !== undefined && !places.some((place) => isIn(from, place));
    });
    expect(elsewhere).toEqual([]);
  });

  it("has no command that imports another command", () => {
    const ofCommands = imports.filter(({ from }) => isIn(from, "commands"));
    expect(ofCommands.length).toBeGreaterThan(100);
    expect(ofCommands.filter(({ to }) => isIn(to, "commands"))).toEqual([]);
  });

  it("lets only commands import code that is meant for commands", () => {
    const isForCommands = (path: string) => isIn(path, "commands") || FOR_COMMANDS.test(path);
    const shared = imports.filter(({ to }) => FOR_COMMANDS.test(to));
    expect(shared.length).toBeGreaterThan(20);
    expect(shared.filter(({ from }) => !isForCommands(from))).toEqual([]);
    const defining = imports.filter(({ to }) => /^src\/discord\/define\b/.test(to));
    expect(
      defining.filter(({ from }) => /^src\/(?!discord\/|compose\.ts)/.test(from) && !isForCommands(from)),
    ).toEqual([]);
  });

  it("has no view that imports a table or a client", () => {
    const views = imports.filter(({ from }) => from.startsWith("src/") && PURE.test(from));
    expect(views.length).toBeGreaterThan(100);
    expect(views.filter(({ to }) => IMPURE.test(to))).toEqual([]);
  });

  it("composes features only where the bot starts", () => {
    const composing = imports.filter(({ to }) => /^src\/\w+\/compose\.ts$/.test(to));
    expect(composing.length).toBeGreaterThan(5);
    const isSources = ({ to }: Import) => to === "src/sources/compose.ts";
    expect(composing.filter((one) => folderOf(one.from) !== undefined && !isSources(one))).toEqual([]);
  });

  it("lists no function's dependencies twice, as parameters and in their type", () => {
    const twice = /\bfunction (?:create|compose|open)\w*[^(]*\(\{\n(?: {2}.*\n){3,}\}: [^)]*\{\n/;
    expect(files.filter((file) => twice.test(readFileSync(join(ROOT, file), "utf8")))).toEqual([]);
  });

  it("keeps libraries for drawing, decoding, PostgreSQL and metrics out of the start", () => {
    // start.ts loads app.ts later, once the settings are valid.
    const loaded = new Set(["src/start.ts", "src/app.ts"]);
    for (const file of loaded) {
      const text = /^(?:src|commands)\//.test(file) ? readFileSync(join(ROOT, file), "utf8") : "";
      for (const [, specifier = ""] of text.matchAll(/^(?:import|export) (?!type )[^;]*?from "([^"]+)"/gm)) {
        loaded.add(specifier.startsWith(".") ? normalize(join(file, "..", specifier)) : packageOf(specifier));
      }
    }
    expect(loaded).toContain("discord.js");
    for (const late of ["sharp", "@napi-rs/canvas", "chart.js", "pg", "prom-client"]) {
      expect(loaded).not.toContain(late);
    }
  });
});
