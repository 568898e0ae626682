// The files for operators are valid, and agree with the bot, the Dockerfile and each other.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { VARIABLES } from "../src/core/variables.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => readFileSync(`${ROOT}${path}`, "utf8");

const NAMES = Object.keys(VARIABLES.shape);
const isVariable = (name: string) => NAMES.includes(name.replace(/_FILE$/, ""));
const dockerfile = read("Dockerfile");
const base = /^FROM (\S+)/m.exec(dockerfile)?.[1];
const flags = /^CMD \["node", (.+), "src\/main.js"\]$/m.exec(dockerfile)?.[1]?.replaceAll(/[",]/g, "");

it("every way to start the bot uses the same flags and the same version of Node", () => {
  expect(flags).toContain("--expose-gc");
  const { scripts, devDependencies } = z
    .object({ scripts: z.record(z.string(), z.string()), devDependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(read("package.json")));
  expect(scripts["start"]).toContain(`node ${flags} `);
  expect(read("ops/signalbox.service")).toContain(`ExecStart=/usr/bin/node ${flags} src/main.js\n`);
  expect(egg.startup).toContain(`node ${flags} src/main.js`);
  expect(base).toBe(`node:${devDependencies["node"]}-slim`);
  expect(egg.scripts.installation.container).toBe(base);
});

it(".env.example has every variable once", () => {
  const listed = [...read(".env.example").matchAll(/^(?:# )?([A-Z_]+)=/gm)].map(([, name = ""]) => name);
  expect(listed.toSorted()).toEqual(NAMES.toSorted());
});

describe("compose.yaml", () => {
  const SERVICE = z.object({
    image: z.string().regex(/^[a-z][\w./-]*(?::[\w.-]+)?$/),
    profiles: z.array(z.string()).default([]),
    environment: z.record(z.string(), z.string()).default({}),
    volumes: z.array(z.string()).default([]),
    secrets: z.array(z.string()).default([]),
    depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
    mem_limit: z.literal("512m"),
    read_only: z.boolean().optional(),
  });
  const compose = z
    .object({
      services: z.record(z.string(), SERVICE),
      secrets: z.record(z.string(), z.object({ file: z.string() })),
      volumes: z.record(z.string(), z.unknown()),
    })
    .parse(parse(read("compose.yaml")));
  const { bot, ...others } = compose.services;

  it("starts only the bot if no profile is selected", () => {
    expect(bot).toMatchObject({ image: "signalbox", profiles: [], read_only: true });
    expect(Object.keys(bot?.environment ?? {}).filter((name) => !isVariable(name))).toEqual([]);
    expect(Object.keys(others)).toEqual(["postgres", "prometheus", "grafana"]);
    expect(Object.values(others).map(({ profiles }) => profiles)).toEqual([["full"], ["full"], ["full"]]);
    expect(bot?.depends_on).toEqual({ postgres: { condition: "service_healthy" } });
  });

  it("refers only to volumes, secrets, files and services that exist", () => {
    const services = Object.values(compose.services);
    const sources = services.flatMap(({ volumes }) => volumes.map((volume) => volume.split(":", 1)[0] ?? ""));
    const files = sources.filter((source) => source.startsWith("./ops/"));
    expect(files.length).toBeGreaterThan(3);
    expect(files.filter((file) => !existsSync(ROOT + file))).toEqual([]);
    expect(sources.filter((source) => !source.startsWith("./")).toSorted()).toEqual(
      Object.keys(compose.volumes).toSorted(),
    );
    expect(services.flatMap(({ secrets }) => secrets)).toEqual(Object.keys(compose.secrets));
    expect(
      services.flatMap((one) => Object.keys(one.depends_on)).filter((name) => !(name in compose.services)),
    ).toEqual([]);
  });

  it("gives the bot no other service's secrets", () => {
    const folder = bot?.volumes.flatMap((volume) => /^(.+):\/run\/secrets:ro$/.exec(volume)?.[1] ?? []) ?? [];
    expect(folder).toHaveLength(1);
    const files = Object.values(compose.secrets).map(({ file }) => file);
    expect(files.filter((file) => file.startsWith(`${folder[0]}/`))).toEqual([]);
    expect(read("docs/hosting.md")).toContain(`>${folder[0]?.replace("./", "")}/database-url\n`);
  });

  it("gives the bot the name and port that Prometheus reads", () => {
    expect(read("ops/prometheus.yaml")).toContain("names: [bot]\n        type: A\n        port: 8080");
    expect(dockerfile).toContain("HTTP_PORT=8080");
  });
});

const EGG = z.object({
  meta: z.object({ version: z.literal("PTDL_v2") }),
  docker_images: z.record(z.string(), z.string().regex(/^ghcr\.io\/pelican-eggs\/yolks:nodejs_\d+$/)),
  startup: z.string(),
  // Panels expect JSON in a JSON string here.
  config: z.object({ startup: z.string(), files: z.string(), logs: z.string(), stop: z.string() }),
  scripts: z.object({ installation: z.object({ script: z.string(), container: z.string() }) }),
  variables: z.array(z.object({ env_variable: z.string(), default_value: z.string(), rules: z.string() })),
});
const egg = EGG.parse(JSON.parse(read("ops/pterodactyl-egg.json")));

describe("the panels' egg", () => {
  it("declares only the bot's variables and those that its own scripts use", () => {
    const names = egg.variables.map((variable) => variable.env_variable);
    const own = names.filter((name) => !isVariable(name));
    expect(own).toEqual(["GIT_ADDRESS", "BRANCH", "AUTO_UPDATE"]);
    expect(names).toContain("DISCORD_TOKEN");
    for (const name of own) {
      expect(`${egg.startup} ${egg.scripts.installation.script}`).toContain(name);
    }
  });

  it("waits for a line that the bot writes, and has valid shell scripts", () => {
    expect(JSON.parse(egg.config.startup)).toEqual({ done: "is ready" });
    expect(read("src/start.ts") + read("src/app.ts")).toContain("is ready");
    for (const script of [egg.startup, egg.scripts.installation.script]) {
      expect(spawnSync("bash", ["-n"], { input: script }).status).toBe(0);
    }
  });
});

describe("the systemd unit", () => {
  const unit = read("ops/signalbox.service");

  it("does not restart the bot after a wrong setting, and sets only known variables", () => {
    expect(unit).toContain("RestartPreventExitStatus=78\n");
    const [, text = ""] = /^Environment=(.+)$/m.exec(unit) ?? [];
    const names = text.split(" ").map((pair) => pair.split("=", 1)[0] ?? "");
    expect(names.filter((name) => !isVariable(name))).toEqual(["NODE_ENV"]);
  });

  it.skipIf(!existsSync("/usr/bin/systemd-analyze"))("is accepted by systemd-analyze", () => {
    // Only programs that this machine lacks may be reported.
    const { stderr } = spawnSync("systemd-analyze", ["verify", `${ROOT}ops/signalbox.service`], {
      encoding: "utf8",
    });
    expect(
      stderr
        .split("\n")
        .filter((line) => line.includes("signalbox.service") && !/is not executable/.test(line)),
    ).toEqual([]);
  });
});

describe("the image workflow", () => {
  const STEP = z.object({
    uses: z
      .string()
      .regex(/^actions\/[\w-]+@v\d+$/)
      .optional(),
    run: z.string().default(""),
  });
  const PERMISSIONS = z.record(z.string(), z.string());
  const JOB = z.object({
    needs: z.string().optional(),
    permissions: PERMISSIONS.optional(),
    steps: z.array(STEP),
  });
  const { jobs, permissions } = z
    .object({ permissions: PERMISSIONS, jobs: z.record(z.string(), JOB) })
    .parse(parse(read(".github/workflows/image.yaml")));

  it("runs a test, then builds the image, then publishes it, with valid shell scripts", () => {
    expect(Object.entries(jobs).map(([name, { needs }]) => [needs, name])).toEqual([
      [undefined, "test"],
      ["test", "image"],
      ["image", "publish"],
    ]);
    const runs = Object.values(jobs).flatMap(({ steps }) => steps.map(({ run }) => run));
    expect(runs.filter((run) => spawnSync("bash", ["-n"], { input: run }).status !== 0)).toEqual([]);
    const tested = runs.flatMap((run) => /test\/long\/\S+/.exec(run) ?? []);
    expect(tested.filter((path) => existsSync(ROOT + path))).toHaveLength(1);
  });

  it("runs no code of the repository or of a package in the job that may write", () => {
    expect(permissions).toEqual({ contents: "read" });
    const writing = Object.entries(jobs).filter(([, job]) =>
      Object.values(job.permissions ?? permissions).includes("write"),
    );
    expect(writing.map(([name]) => name)).toEqual(["publish"]);
    for (const { uses = "", run } of writing.flatMap(([, { steps }]) => steps)) {
      expect(uses).not.toMatch(/checkout|setup-node/);
      expect(run).not.toMatch(/\b(?:npm|npx|node|vitest)\b|docker (?:build|run)\b/);
    }
  });
});
