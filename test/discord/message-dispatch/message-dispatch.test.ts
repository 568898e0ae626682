// Cases that the end-to-end tests cannot produce: bugs, crowds and messages before the login.
import { createAdmission } from "../../../src/discord/admission.ts";
import { describe, expect, it } from "vitest";
import { collectLog } from "../../support/collect-log.ts";
import { noMeter } from "../../../src/core/meter.ts";
import { textReply, type Reply } from "../../../src/core/reply.ts";
import { commandOf } from "../command-of.ts";
import { type MessageHandler, createRegistry } from "../../../src/discord/registry.ts";
import { createMessageDispatch } from "../../../src/discord/message-dispatch/message-dispatch.ts";
import { MessengerError } from "../../../src/core/ports.ts";
import type { Services } from "../../../src/discord/define/context.ts";
import { createStillClock } from "../../support/still-clock.ts";

function open({ run, failure, isLoggedIn = true }: Scene) {
  const replies: Reply[] = [];
  const { log, lines } = collectLog("warn");
  const messages = { fileTypes: ["image"], run } as const;
  const command = commandOf("restyle", { description: "Restyles", run: () => textReply(""), messages });
  const dispatch = createMessageDispatch({
    registry: createRegistry([command], {}),
    // The command here needs no service.
    services: {} as Services,
    messenger: {
      async post(channelId, reply, { nonce }) {
        if (failure) {
          throw failure;
        }
        replies.push(reply);
        return { channelId, messageId: nonce };
      },
      edit: async () => undefined,
    },
    explain: () => undefined,
    commandPermissions: {
      mayUse: async () => true,
      usableCommands: async () => new Set<string>(),
      forget: () => undefined,
    },
    admission: createAdmission({ guilds: "*", userInstall: true }, { has: () => false }),
    noteUse: () => undefined,
    offers: () => false,
    self: () => (isLoggedIn ? { userId: "900", applicationId: "901", roleIn: () => undefined } : undefined),
    rightsOf: () => ({ permissions: "0" }),
    showTyping: async () => undefined,
    clock: createStillClock(),
    log,
    meter: noMeter,
  });
  return { dispatch, replies, lines };
}

interface Scene {
  readonly run: MessageHandler["handler"]["run"];
  readonly failure?: Error;
  readonly isLoggedIn?: boolean;
}

/** A DM with a picture. */
const picture = (id: string, channelId = "3") => ({
  id,
  channel_id: channelId,
  type: 0,
  author: { id: "42", username: "alan" },
  attachments: [{ id: "7", filename: "a.png", url: "https://cdn.example/a.png", size: 1 }],
});

const done = () => textReply("Done");

describe("a message for a command", () => {
  it("with a bug is answered with a reference that the log contains", async () => {
    const { dispatch, replies, lines } = open({
      run: () => {
        throw new TypeError("no such brush");
      },
    });
    await dispatch(picture("1"));
    const reference = /`(\d+)`/.exec(JSON.stringify(replies))?.[1] ?? "none";
    expect(replies).toHaveLength(1);
    expect(lines.join()).toContain(reference);
    expect(lines.join()).toContain("no such brush");
  });

  it.each([
    ["Discord refuses it", new MessengerError("not-allowed", "post: 403")],
    ["there is a bug", new TypeError("no such channel")],
  ])("does not reject if its answer fails because %s", async (_, failure) => {
    const { dispatch, lines } = open({ run: done, failure });
    await dispatch(picture("1"));
    expect(lines).toHaveLength(1);
  });

  it("is handled once", async () => {
    let runs = 0;
    const { dispatch } = open({
      run: () => {
        runs += 1;
        return done();
      },
    });
    await Promise.all([dispatch(picture("1")), dispatch(picture("1"))]);
    expect(runs).toBe(1);
  });

  it("is ignored while 200 others are in progress, and accepted when they are done", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { dispatch, lines } = open({
      run: async () => {
        await promise;
        return done();
      },
    });
    const waiting = Array.from({ length: 200 }, async (_, index) =>
      dispatch(picture(`${index}`, `channel ${index}`)),
    );
    expect(dispatch(picture("late"))).toBeUndefined();
    expect(lines.join()).toContain("too many under way");
    resolve();
    await Promise.all(waiting);
    expect(dispatch(picture("later"))).toBeInstanceOf(Promise);
  });

  it("is ignored while 50 others of the same server are in progress, and accepted in another server", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { dispatch } = open({
      run: async () => {
        await promise;
        return done();
      },
    });
    const send = (id: string, server: string) =>
      dispatch({
        ...picture(id, `channel ${id}`),
        guild_id: server,
        content: "<@900>",
        mentions: [{ id: "900" }],
      });
    const waiting = Array.from({ length: 50 }, async (_, index) => send(`${index}`, "busy"));
    expect(send("late", "busy")).toBeUndefined();
    const elsewhere = send("other", "quiet");
    expect(elsewhere).toBeInstanceOf(Promise);
    resolve();
    await Promise.all([...waiting, elsewhere]);
    expect(send("later", "busy")).toBeInstanceOf(Promise);
  });

  it("is ignored before the bot has logged in", () => {
    const { dispatch } = open({ run: done, isLoggedIn: false });
    expect(dispatch(picture("1"))).toBeUndefined();
  });
});
