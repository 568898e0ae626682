// Holds the rooms of the house apart: which folder may import which, and which library has which door.
import { readFileSync, readdirSync } from "node:fs";
import { join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { DOORS, ROOMS, SANDBOX_LIBRARIES } from "./support/rooms.ts";

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

const isIn = (path: string, room: string) => path === room || path.startsWith(`${room}/`);

function roomOf(path: string): string | undefined {
  return Object.keys(ROOMS)
    .filter((room) => isIn(path, room))
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

describe("the rooms", () => {
  it("were read: the check saw files and imports in each room that exists", () => {
    expect(files.length).toBeGreaterThan(40);
    expect(imports.length).toBeGreaterThan(files.length);
    expect(imports).toContainEqual({ from: "src/main.js", to: "src/start.ts" });
  });

  it("import downwards only", () => {
    const upward = imports.filter(({ from, to }) => {
      const room = roomOf(from);
      if (room === undefined || !/\.tsx?$|^src\/.*\.js$/.test(to)) {
        return false; // main, app and deploy stand above the rooms; packages have doors of their own
      }
      return ![room, ...(ROOMS[room] ?? [])].some((place) => isIn(to, place));
    });
    expect(upward).toEqual([]);
  });

  it("keep one door per library", () => {
    const trespassers = imports.filter(({ from, to }) => {
      const door = DOORS[packageOf(to)];
      return door !== undefined && !isIn(from, door);
    });
    const forgiven = ({ from, to }: Import) =>
      isIn(from, "sandbox") && SANDBOX_LIBRARIES.includes(packageOf(to));
    expect(trespassers.filter((one) => !forgiven(one))).toEqual([]);
  });
});
