// Prints every package in node_modules with the text of its licence, for the image, which contains only production packages.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGES = fileURLToPath(new URL("../node_modules", import.meta.url));
const MANIFEST = /^(?:.*[\\/]node_modules[\\/])?(?:@[^\\/]+[\\/])?[^\\/@]+[\\/]package\.json$/;

/** @param {string} folder */
function readTexts(folder) {
  const names = readdirSync(folder).toSorted();
  const texts = names
    .filter((name) => /^(?:licen[cs]e|copying|notice)/i.test(name))
    .map((name) => readFileSync(join(folder, name), "utf8").trim());
  // Native packages list the libraries that they contain in their README.
  const readme = names.find((name) => /^readme\.md$/i.test(name));
  const [, section] = readme ? readFileSync(join(folder, readme), "utf8").split("## Licensing\n") : [];
  return section === undefined ? texts : [...texts, section.trim()];
}

process.stdout.write(
  "Signalbox contains the following packages, under the licences given here. Where a package brings no text of its own,\nthe text is in /usr/share/common-licenses or at https://spdx.org/licenses.\n",
);
for (const path of readdirSync(PACKAGES, { recursive: true, encoding: "utf8" }).toSorted()) {
  if (MANIFEST.test(path)) {
    const manifest = JSON.parse(readFileSync(join(PACKAGES, path), "utf8"));
    const head = `${"-".repeat(100)}\n${manifest.name} ${manifest.version}, ${manifest.license}`;
    process.stdout.write(`\n${[head, ...readTexts(join(PACKAGES, dirname(path)))].join("\n\n")}\n`);
  }
}
