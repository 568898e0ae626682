// What the README shows matches the code.
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

it("shows a whole command unchanged, in at most 40 lines", () => {
  const command = readFileSync(new URL("../commands/about.ts", import.meta.url), "utf8");
  expect(readme).toContain(`\`\`\`ts\n${command}\`\`\``);
  expect(command.split("\n").length).toBeLessThanOrEqual(41);
});

it("names every command", () => {
  const names = readdirSync(new URL("../commands", import.meta.url)).map((file) => file.replace(/\.ts$/, ""));
  expect(names.length).toBeGreaterThan(3);
  for (const name of names) {
    expect(readme).toContain(`\`/${name}`);
  }
});

it("refers only to files that exist", () => {
  const links = [...readme.matchAll(/\]\(((?!https?:)[^)#]+)\)/g)].map(([, path = ""]) => path);
  expect(links.length).toBeGreaterThan(3);
  for (const link of links) {
    expect(() => readFileSync(new URL(`../${link}`, import.meta.url))).not.toThrow();
  }
});
