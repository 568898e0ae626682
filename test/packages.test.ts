// package-lock.json works on machines other than the one that wrote it.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";

const PACKAGE = z.object({
  version: z.string().optional(),
  resolved: z.string().optional(),
  os: z.array(z.string()).optional(),
  cpu: z.array(z.string()).optional(),
  libc: z.array(z.string()).optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
});
const LOCK = z.object({ packages: z.record(z.string(), PACKAGE) });
const { packages } = LOCK.parse(
  JSON.parse(readFileSync(new URL("../package-lock.json", import.meta.url), "utf8")),
);

it("has the same versions of native packages for Linux on x64 and on arm64", () => {
  const isFor = (cpu: string) => (one: z.output<typeof PACKAGE>) =>
    one.os?.includes("linux") && one.cpu?.includes(cpu) && !one.libc?.includes("musl");
  const list = (cpu: string) =>
    Object.entries(packages)
      .filter(([path, one]) => isFor(cpu)(one) && !path.includes("musl"))
      .map(([path, one]) => `${path.replace(cpu, "CPU")} ${one.version}`)
      .toSorted();
  expect(list("x64").length).toBeGreaterThan(10);
  expect(list("arm64")).toEqual(list("x64"));
});

it("lists every optional package, so that npm ci works on any system", () => {
  const wanted = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).map((name) => ({ path, name })),
  );
  expect(wanted.length).toBeGreaterThan(50);
  const missing = wanted.filter(
    ({ path, name }) =>
      packages[`node_modules/${name}`] === undefined &&
      packages[`${path}/node_modules/${name}`] === undefined,
  );
  expect(missing).toEqual([]);
});

it("contains no download addresses, so that any registry works", () => {
  expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
});
