// docs/permissions.md is generated from the definitions by `npx vitest run test/discord/permissions-page.test.ts -u`.
import { expect, it } from "vitest";
import { type Command, commandFilesOf } from "../../src/discord/registry.ts";
import { readCommands } from "../../src/discord/read-commands.ts";

const PAGE = `# Who may do what

This table says who may use each command, and where, unless a server decides otherwise. A server's administrators do
that under **Server Settings**, **Integrations**. What they choose applies to a command with all its subcommands, buttons,
menus and forms, and to messages and files that people send with a mention of the bot.

TABLE

In a server, the bot checks in this order:

1. A person who is timed out can do nothing. Administrators can do everything.
2. **Use Application Commands** is needed in the channel; a thread follows its channel.
3. A rule for the channel, or else one for all channels: the command's own before the one for all commands.
4. The command's own rules: a rule for the person first; otherwise rules for their roles (one role that is allowed is
   enough); otherwise the rule for everyone.
5. If none of these applies to the person, the rules for all commands, which can only forbid. If these do not forbid it,
   the table above applies.

In a direct message, only commands and buttons for a server's boards and videos need a permission. The bot checks it in
that server, including its rule for all channels. In a server that the bot is not in, people who have installed it for
themselves can do what Discord lets them do.
`;

const PLACES = { guild: "servers", "bot-dm": "DMs", "private-channel": "user installs" } as const;
const FILES = { image: "a picture", video: "a video" } as const;
const PERMISSIONS = {
  ManageGuild: "Manage Server",
  ManageChannels: "Manage Channels",
  ManageMessages: "Manage Messages",
  Administrator: "Administrator",
};

function rowOf(command: Command): readonly string[] {
  const { permission, contexts } = command;
  const isOwnerOnly = command.runnables.some(({ ownerOnly }) => ownerOnly);
  const everyone = isOwnerOnly ? "the owner or their team" : "everyone";
  const runnables = command.runnables.map(({ definition }) => definition);
  const open = commandFilesOf(command).flatMap(({ definition }) =>
    Object.entries(definition.buttons ?? {}).flatMap(([action, { anyone }]) => (anyone ? [action] : [])),
  );
  return [
    `\`/${command.name}\``,
    permission === undefined ? everyone : `people with _${PERMISSIONS[permission]}_`,
    contexts.map((context) => PLACES[context]).join(", "),
    [
      ...runnables.flatMap(({ messageMenu }) => (messageMenu ? [`the menu “${messageMenu.name}”`] : [])),
      ...runnables.flatMap(({ messages }) =>
        messages?.words ? [`a message such as “${messages.words.example}”`] : [],
      ),
      ...runnables.flatMap(({ messages }) =>
        messages?.fileTypes
          ? [`a message with ${messages.fileTypes.map((type) => FILES[type]).join(" or ")}`]
          : [],
      ),
      ...open.map((action) => `everyone may press _${action}_`),
    ].join("; "),
  ];
}

it("docs/permissions.md agrees with the commands' definitions", async () => {
  const commands = await readCommands(new URL("../../commands/", import.meta.url));
  const rows = [["command", "for", "in", "also"], ...commands.map(rowOf)];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const [head = "", ...lines] = rows.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`,
  );
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  const table = [head, rule, ...lines].join("\n");
  await expect(PAGE.replace("TABLE", table)).toMatchFileSnapshot("../../docs/permissions.md");
});
