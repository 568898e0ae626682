import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { listSecrets, readConfig } from "../../src/core/config.ts";
import type { Environment } from "../../src/core/environment.ts";

const TOKEN = "a-token-of-the-test";
const read = (environment: Environment) => readConfig({ DISCORD_TOKEN: TOKEN, ...environment });

/** Writes a file that is removed after the test. Returns its path. */
function writeFile(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-config-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "styles.json"), text);
  return join(folder, "styles.json");
}

const SERVICE = { STYLE_API_BASE_URL: "https://art.example.org/api/", STYLE_API_KEY: "a-style-key" };

test("reads the style service's address and key, and the catalogue's file without parsing it", () => {
  const config = read({ ...SERVICE, STYLE_CATALOGUE: writeFile("{ not looked into") });
  expect(config.style).toEqual({
    baseUrl: new URL("https://art.example.org/api"),
    apiKey: "a-style-key",
    catalogue: "{ not looked into",
  });
  expect(listSecrets(config)).toContain("a-style-key");
  expect(read(SERVICE).style?.catalogue).toBeUndefined();
});

test("has no style service without a key", () => {
  expect(read({ STYLE_API_BASE_URL: "https://art.example.org" }).style).toBeUndefined();
  expect(() => read({ STYLE_API_KEY: "a-style-key" })).toThrow(/^STYLE_API_BASE_URL is missing/);
});

test("refuses a catalogue that cannot be read, without repeating its path", () => {
  for (const name of ["no-such-file.json", tmpdir(), writeFile("x".repeat(1024 * 1024 + 1))]) {
    expect(() => read({ ...SERVICE, STYLE_CATALOGUE: name })).toThrow(
      /^STYLE_CATALOGUE must name a readable file/,
    );
    expect(() => read({ ...SERVICE, STYLE_CATALOGUE: name })).not.toThrow(name);
  }
});
