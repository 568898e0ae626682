// Interactions that the end-to-end tests cannot send, because neither Discord nor the sandbox would.
import { createAdmission } from "../../../src/discord/admission.ts";
import { describe, expect, it } from "vitest";
import { ConflictError, ServiceError, UserError } from "../../../src/core/errors.ts";
import { type Modal, type Reply, textReply } from "../../../src/core/reply.ts";
import { collectLog } from "../../support/collect-log.ts";
import { noMeter } from "../../../src/core/meter.ts";
import { type AnyDefinition, type Command, createRegistry } from "../../../src/discord/registry.ts";
import { createDispatch } from "../../../src/discord/dispatch/dispatch.ts";
import { commandOf } from "../command-of.ts";
import { createCommandIds } from "../../../src/discord/directory.ts";
import type { Services } from "../../../src/discord/define/context.ts";
import { plainReplies } from "../../support/plain-replies.ts";
import { createStillClock } from "../../support/still-clock.ts";

function open(commands: readonly Command[] = []) {
  const used: string[] = [];
  const chosen: (readonly string[])[] = [];
  const counted: string[] = [];
  const answers: string[] = [];
  const clock = createStillClock();
  const ids = createCommandIds();
  const { log, lines } = collectLog("error");
  const dispatch = createDispatch({
    registry: createRegistry(commands, {}),
    // No command here needs a service.
    services: {} as Services,
    api: {
      async callback(_, type, data) {
        answers.push(JSON.stringify({ type, data }));
        return "accepted";
      },
      editOriginal: async () => undefined,
      deleteOriginal: async () => undefined,
      followUp: async () => "sent",
    },
    explain: () => undefined,
    commandPermissions: {
      mayUse: async () => true,
      usableCommands: async () => new Set<string>(),
      forget: () => undefined,
    },
    admission: createAdmission({ guilds: "*", userInstall: true }, { has: () => false }),
    ownerIds: async () => new Set(["7"]),
    recent: {
      of: async (userId, kind) => (userId === "8" && kind === "station" ? ["YRK", "LDS"] : []),
      note: async (userId, choices) => void chosen.push([userId, ...choices.map(({ value }) => value)]),
    },
    noteUse: (guildId) => used.push(guildId),
    ids,
    replies: plainReplies(log),
    clock,
    log,
    meter: {
      ...noMeter,
      count: (name, labels) => name === "answers_total" && counted.push(Object.values(labels).join(" ")),
    },
  });
  return { answers, used, chosen, counted, lines, ids, clock, dispatch };
}

const key = { id: "1", token: "secret-token", application_id: "900" };
const ada = { id: "8", username: "Ada" };
/** The bot's error message, which only the person who asked sees. */
const failure = { id: "6", channel_id: "50", author: { id: "900" }, flags: 64 };

const press = (customId: string, { user = ada, message = failure } = {}) => ({
  ...key,
  id: String(Math.random()),
  type: 3,
  message,
  user,
  data: { custom_id: customId, component_type: 2 },
});

function retryIdIn(answer: string | undefined, action: "again" | "fix" | "send"): string {
  return new RegExp(`retry:${action}:1:id=\\w+`).exec(answer ?? "")?.[0] ?? "none";
}

describe("an interaction of an unknown shape", () => {
  it.each([2, 3, 5])("of type %d is answered with a reference that the log contains", async (type) => {
    const { answers, lines, dispatch } = open();
    await dispatch({ ...key, type, data: "nobody expected this" });
    const reference = /`(\d+)`/.exec(answers.join())?.[1] ?? "none";
    expect(answers).toHaveLength(1);
    expect(answers[0]).toContain(`"flags":${(1 << 15) | (1 << 6)}`);
    expect(lines.join()).toContain(reference);
    expect(lines.join()).not.toContain("secret-token");
  });

  it.each([
    ["nobody waits", { ...key, type: 4, data: null }],
    ["its type is new", { ...key, type: 99 }],
    ["it cannot be answered", { type: 2 }],
  ])("is only logged if %s", async (_, payload) => {
    const { answers, lines, dispatch } = open();
    await dispatch(payload);
    expect(answers).toEqual([]);
    expect(lines).toHaveLength(1);
  });
});

describe("a used command", () => {
  it("updates its known id, because another process may have registered it", async () => {
    const { ids, dispatch } = open();
    await dispatch({ ...key, type: 2, data: { id: "700", type: 1, name: "board" } });
    expect(ids.all().get("board")).toBe("700");
  });
});

describe("a command that failed because of a service", () => {
  function openFailing(error: Error) {
    const ran: unknown[] = [];
    const run = (context: { readonly options?: unknown }) => {
      ran.push(context.options);
      if (ran.length === 1) {
        throw error;
      }
      return textReply("All is well", "private");
    };
    const options = { station: { type: "string", description: "Which", required: true } } as const;
    const definition: AnyDefinition = { description: "Fails once", options, run };
    return { ran, ...open([commandOf("fails", definition)]) };
  }
  const data = { id: "700", name: "fails", type: 1, options: [{ name: "station", type: 3, value: "York" }] };
  const use = { ...key, type: 2, user: ada, data };

  it("can be run again once with the same options", async () => {
    const { ran, answers, dispatch } = openFailing(new ServiceError("transport", "timeout", "late"));
    await dispatch(use);
    expect(answers[0]).toContain("Try again");
    const retry = retryIdIn(answers[0], "again");
    await dispatch(press(retry));
    expect(ran).toEqual([{ station: "York" }, { station: "York" }]);
    expect(answers[1]).toContain("All is well");
    await dispatch(press(retry));
    expect(answers[2]).toContain("so I no longer have this one");
  });

  it.each<[string, number, string]>([
    ["somebody else presses it", 0, "9"],
    ["15 minutes have passed", 15 * 60_000 + 1, "8"],
  ])("does not run again if %s", async (_, afterMs, id) => {
    const { ran, answers, clock, dispatch } = openFailing(new ServiceError("style", "unavailable", "away"));
    await dispatch(use);
    clock.advance(afterMs);
    await dispatch(press(retryIdIn(answers[0], "again"), { user: { ...ada, id } }));
    expect(ran).toHaveLength(1);
    expect(answers[1]).toContain("Please use the command again");
  });

  it.each([
    new ServiceError("transport", "outcome-unknown", "lost"),
    new ServiceError("video", "timeout", "late"),
    new ServiceError("style", "budget-spent", "for good"),
    new UserError("There is no such station."),
  ])("offers no retry after %s", async (error) => {
    const { answers, dispatch } = openFailing(error);
    await dispatch(use);
    expect(answers[0]).not.toContain('"label":"Try again"');
  });
});

describe("a form with a mistake", () => {
  const picture = { id: "5", channel_id: "50", author: { id: "900" }, flags: 0 };
  const modal: Modal = {
    type: "modal",
    target: { command: "edits", action: "change" },
    title: "Edit",
    fields: [
      { type: "text", name: "title", label: "Title", lines: "one", value: "Before" },
      {
        type: "choice",
        name: "ping",
        label: "Ping me",
        choices: [
          { label: "No", value: "no", chosen: true },
          { label: "Yes", value: "yes" },
        ],
      },
      { type: "upload", name: "file", label: "File" },
    ],
  };

  function openEdits(form = modal, error: Error = new UserError("That title is too short.")) {
    const ran: unknown[] = [];
    const definition: AnyDefinition = {
      description: "Edits",
      run: () => form,
      buttons: { open: { run: () => form } },
      modals: {
        change: {
          run: ({ fields, seenVersion, message }) => {
            ran.push({ ...fields, seenVersion, message: message?.id });
            if (!JSON.stringify(fields).includes("A longer title")) {
              throw error;
            }
            return textReply("Changed", "private");
          },
        },
      },
    };
    return { ran, ...open([commandOf("edits", definition)]) };
  }

  const submit = (customId: string, title: string, message?: object) => ({
    ...key,
    id: String(Math.random()),
    type: 5,
    user: ada,
    message,
    data: {
      custom_id: customId,
      components: [
        { component: { type: 4, custom_id: "title", value: title } },
        { component: { type: 3, custom_id: "ping", values: ["yes"] } },
      ],
    },
  });
  const fixIn = (answer?: string) => retryIdIn(answer, "fix");
  const formIn = (answer?: string) => retryIdIn(answer, "send");

  it("opens again with the typed text until it is accepted", async () => {
    const { ran, answers, dispatch } = openEdits();
    await dispatch(press("edits:open:1:", { message: picture }));
    await dispatch(submit("edits:change:1:", "Short", picture));
    expect(answers[1]).toMatch(/too short.*Fix it/);
    await dispatch(press(fixIn(answers[1])));
    expect(answers[2]).toMatch(/"value":"Short"/);
    expect(answers[2]).toMatch(/"label":"Yes","value":"yes","default":true/);
    expect(answers[2]).not.toMatch(/"value":"no","default":true/);
    await dispatch(submit(formIn(answers[2]), "Shorter", failure));
    expect(answers[3]).toMatch(/too short.*Fix it/);
    await dispatch(press(fixIn(answers[3])));
    await dispatch(submit(formIn(answers[4]), "A longer title", failure));
    expect(answers[5]).toContain("Changed");
    expect(ran).toEqual([
      { title: ["Short"], ping: ["yes"], seenVersion: undefined, message: "5" },
      { title: ["Shorter"], ping: ["yes"], seenVersion: undefined, message: "6" },
      { title: ["A longer title"], ping: ["yes"], seenVersion: undefined, message: "6" },
    ]);
  });

  it("is submitted with the version of somebody else's change after the person was told about it", async () => {
    const { ran, answers, dispatch } = openEdits(modal, new ConflictError("Somebody was first.", "mark"));
    await dispatch(press("edits:open:1:", { message: picture }));
    await dispatch(submit("edits:change:1:", "Short", picture));
    await dispatch(press(fixIn(answers[1])));
    await dispatch(submit(formIn(answers[2]), "A longer title", failure));
    expect(ran).toMatchObject([{ seenVersion: undefined }, { seenVersion: "mark" }]);
  });

  it("opens only for the same person and within an hour", async () => {
    const { answers, clock, dispatch } = openEdits();
    await dispatch({ ...key, type: 2, user: ada, data: { id: "700", name: "edits", type: 1 } });
    await dispatch(submit("edits:change:1:", "Short"));
    await dispatch(press(fixIn(answers[1]), { user: { ...ada, id: "9" } }));
    expect(answers[2]).toContain("I no longer have what you typed");
    clock.advance(60 * 60_000 + 1);
    await dispatch(press(fixIn(answers[1])));
    expect(answers[3]).toContain("I no longer have what you typed");
  });

  it.each<[string, Modal, Error]>([
    ["the typed text is a secret", { ...modal, isSecret: true }, new UserError("That isn't a token.")],
    ["they may not do that", modal, new UserError("Please ask a moderator.", "permission")],
    ["the bot has a fault", modal, new Error("a bug")],
  ])("is not kept if %s", async (_, form, error) => {
    const { answers, dispatch } = openEdits(form, error);
    await dispatch(press("edits:open:1:", { message: picture }));
    await dispatch(submit("edits:change:1:", "Short", picture));
    expect(answers).toHaveLength(2);
    expect(answers[1]).not.toContain("Fix it");
  });
});

describe("a command for the owner", () => {
  const ran: string[] = [];
  const handler = {
    run: () => {
      ran.push("yes");
      return { blocks: [] };
    },
  };
  const definition: AnyDefinition = {
    description: "For the owner",
    ownerOnly: true,
    ...handler,
    buttons: { press: { anyone: true, ...handler } },
    selects: { pick: handler },
    modals: { send: handler },
  };
  const message = { id: "5", channel_id: "50", author: { id: "900" } };
  const uses = [
    ["the command", { type: 2, data: { id: "700", name: "own", type: 1 } }],
    ["its button", { type: 3, message, data: { custom_id: "own:press:1:", component_type: 2 } }],
    ["its menu", { type: 3, message, data: { custom_id: "own:pick:1:", component_type: 3, values: [] } }],
    ["its form", { type: 5, data: { custom_id: "own:send:1:", components: [] } }],
  ] as const;
  const owner = { id: "7", username: "ada" };
  const callers = [
    ["the owner in a DM", { user: owner }, true],
    ["somebody else in a DM", { user: { id: "8", username: "mary" } }, false],
    ["the owner in a server", { guild_id: "1", member: { user: owner, permissions: "8" } }, false],
  ] as const;
  it.each(
    uses.flatMap(([what, use]) => callers.map(([who, caller, may]) => ({ what, use, who, caller, may }))),
  )("runs $what for $who: $may", async ({ use, caller, may }) => {
    ran.length = 0;
    const { answers, dispatch } = open([commandOf("own", definition)]);
    await dispatch({ ...key, ...caller, ...use });
    expect(ran).toHaveLength(may ? 1 : 0);
    expect(answers.join().includes("Only the people who run this bot can use that")).toBe(!may);
  });
});

describe("the use of the bot in a server", () => {
  it("is noted, and the command learns the server, unless only the person has installed the bot", async () => {
    const seen: (string | undefined)[] = [];
    const definition: AnyDefinition = {
      description: "Tries",
      run({ where }) {
        seen.push(where.guildId);
        return { blocks: [] };
      },
    };
    const { used, dispatch } = open([commandOf("try", definition)]);
    const user = { id: "8", username: "mary" };
    const use = { ...key, type: 2, data: { id: "700", name: "try", type: 1 } };
    await dispatch({ ...use, id: "1", guild_id: "1", member: { user } });
    await dispatch({
      ...use,
      id: "2",
      guild_id: "2",
      member: { user },
      authorizing_integration_owners: { "1": "8" },
    });
    await dispatch({ ...use, id: "3", user });
    expect(used).toEqual(["1"]);
    expect(seen).toEqual(["1", undefined, undefined]);
  });
});

describe("suggestions", () => {
  it("are not told the server if only the person has installed the bot", async () => {
    const seen: (string | undefined)[] = [];
    const definition: AnyDefinition = {
      description: "Suggests",
      options: {
        text: {
          type: "string",
          description: "Any",
          autocomplete({ where }) {
            seen.push(where.guildId);
            return [];
          },
        },
      },
      run: () => ({ blocks: [] }),
    };
    const { dispatch } = open([commandOf("try", definition)]);
    const options = [{ name: "text", type: 3, value: "y", focused: true }];
    const use = { ...key, type: 4, guild_id: "1", data: { name: "try", type: 1, options } };
    await dispatch(use);
    await dispatch({ ...use, id: "2", authorizing_integration_owners: { "1": "8" } });
    expect(seen).toEqual(["1", undefined]);
  });

  it("are abandoned after two seconds, because the person has typed on", async () => {
    const definition: AnyDefinition = {
      description: "Never suggests",
      options: {
        text: { type: "string", description: "Any", autocomplete: () => new Promise(() => undefined) },
      },
      run: () => ({ blocks: [] }),
    };
    const { answers, clock, dispatch } = open([commandOf("mute", definition)]);
    const options = [{ name: "text", type: 3, value: "y", focused: true }];
    const done = dispatch({ ...key, type: 4, data: { name: "mute", type: 1, options } });
    clock.advance(2_000);
    await done;
    expect(answers).toEqual([JSON.stringify({ type: 8, data: { choices: [] } })]);
    expect(clock.waits()).toEqual([]);
  });
});

describe("a person's choice", () => {
  const station = {
    type: "string",
    description: "Which",
    recall: {
      kind: "station",
      valueOf: ({ text }: { readonly text: string }) => (text === "York" ? "YRK" : undefined),
    },
    autocomplete: ({ recent }: { readonly recent: readonly string[] }) =>
      recent.map((value) => ({ name: value, value })),
  } as const;

  function openWith(run: () => Reply) {
    const definition: AnyDefinition = {
      description: "Shows trains",
      options: { station, other: { type: "string", description: "Any" } },
      run,
    };
    return open([commandOf("trains", definition)]);
  }
  const typed = (name: string, value: string, focused = false) => ({ name, type: 3, value, focused });
  const use = (id: string, ...options: readonly unknown[]) => ({
    ...key,
    id,
    type: 2,
    user: ada,
    data: { id: "700", name: "trains", type: 1, options },
  });

  it("is noted after a successful answer, but unknown values and other options are not", async () => {
    const { chosen, dispatch } = openWith(() => textReply("Trains"));
    await dispatch(use("1", typed("station", "York"), typed("other", "York")));
    await dispatch(use("2", typed("station", "Narnia")));
    expect(chosen).toEqual([["8", "YRK"]]);
  });

  it("is not noted if the command failed", async () => {
    const { chosen, dispatch } = openWith(() => {
      throw new UserError("No such trains.");
    });
    await dispatch(use("1", typed("station", "York")));
    expect(chosen).toEqual([]);
  });

  it("appears in their own suggestions, but not in those of others", async () => {
    const { answers, dispatch } = openWith(() => textReply("Trains"));
    const data = { name: "trains", type: 1, options: [typed("station", "", true)] };
    await dispatch({ ...key, id: "1", type: 4, user: ada, data });
    await dispatch({ ...key, id: "2", type: 4, user: { id: "9", username: "Mary" }, data });
    expect(
      answers.map((answer) => [...answer.matchAll(/"value":"(\w+)"/g)].map(([, value]) => value)),
    ).toEqual([["YRK", "LDS"], []]);
  });
});

describe("an answer is counted", () => {
  const refusal = new UserError("There is no such station.");
  const use = { ...key, type: 2, user: { id: "7", username: "ada" } };
  it.each([
    ["answered", () => ({ blocks: [] })],
    ["refused", () => Promise.reject(refusal)],
    ["failed", () => Promise.reject(new ServiceError("transport", "timeout", "too slow"))],
  ] as const)("as %s", async (outcome, run) => {
    const { counted, dispatch } = open([commandOf("try", { description: "Tries", run })]);
    await dispatch({ ...use, data: { id: "700", name: "try", type: 1 } });
    expect(counted).toEqual([`try ${outcome}`]);
  });

  it("as refused if the command is unknown", async () => {
    const { counted, dispatch } = open();
    await dispatch({ ...use, data: { id: "700", name: "gone", type: 1 } });
    expect(counted).toEqual(["? refused"]);
  });
});
