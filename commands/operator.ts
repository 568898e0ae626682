import { escapeMarkdown, type Reply } from "../src/core/reply.ts";
import { pageArgs } from "../src/core/pages.ts";
import { plural } from "../src/core/text.ts";
import { defineCommand, defineButton } from "../src/discord/define.ts";
import type { Context } from "../src/discord/define/context.ts";
import {
  askBlockView,
  askLeaveView,
  askStrangersView,
  blockedView,
  doneView,
  noticeArgs,
  noticeForm,
  noticePreviewView,
  overviewView,
  planUseView,
  serverArgs,
  serverView,
} from "../src/operations/operator-view.ts";

type OwnerContext = Context<"operator">;

async function showPage({ services }: OwnerContext, page: number): Promise<Reply> {
  return overviewView(await services.operator.overview(), page);
}

export default defineCommand({
  description: "For the person who runs this bot: see its servers, and write to everyone with a board",
  needs: ["operator"],
  contexts: ["bot-dm"],
  ownerOnly: true,
  defer: "private",
  run: (context) => showPage(context, 0),
  selects: {
    open: {
      run: async ({ services, chosen }) => serverView(await services.operator.server(chosen[0] ?? "")),
    },
    unblock: {
      async run({ services, chosen }) {
        await services.operator.blocks.unblock(chosen[0] ?? "");
        return doneView("That server is no longer blocked. Anyone who manages it can invite me again.");
      },
    },
  },
  buttons: {
    list: { run: (context) => showPage(context, 0) },
    page: defineButton(pageArgs, (context: OwnerContext, { page }) => showPage(context, page)),
    askLeave: defineButton(serverArgs, async ({ services }: OwnerContext, { id }) =>
      askLeaveView(await services.operator.server(id)),
    ),
    leave: defineButton(serverArgs, async ({ services }: OwnerContext, { id }) => {
      const { name } = await services.operator.leave(id);
      return doneView(`I've left **${escapeMarkdown(name)}**.`);
    }),
    askBlock: defineButton(serverArgs, async ({ services }: OwnerContext, { id }) =>
      askBlockView(await services.operator.server(id)),
    ),
    block: defineButton(serverArgs, async ({ services }: OwnerContext, { id }) => {
      const { name } = await services.operator.block(id);
      return doneView(`**${escapeMarkdown(name)}** is blocked.`);
    }),
    blocked: { run: async ({ services }) => blockedView(await services.operator.blocks.list()) },
    plan: { run: async ({ services }) => planUseView(await services.operator.planUse()) },
    askStrangers: { run: async ({ services }) => askStrangersView(await services.operator.overview()) },
    leaveStrangers: {
      async run({ services }) {
        const count = await services.operator.leaveStrangers();
        return doneView(`I'm leaving ${plural(count, "server")} now. The list shows which are left.`);
      },
    },
    write: { run: () => noticeForm() },
    rewrite: defineButton(noticeArgs, async ({ services }: OwnerContext) =>
      noticeForm((await services.operator.notices.last())?.text),
    ),
    send: defineButton(noticeArgs, async ({ services }: OwnerContext, { id }) => {
      const { channels } = await services.operator.notices.send(id);
      return doneView(
        `The notice is on its way to ${plural(channels, "channel")}. \`/operator\` shows its progress.`,
      );
    }),
  },
  modals: {
    preview: {
      answers: "update",
      run: async ({ services, fields }) =>
        noticePreviewView(await services.operator.notices.draft(fields["text"]?.[0] ?? "")),
    },
  },
});
