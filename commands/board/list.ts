// The boards of a server. The other commands for one board take from here how a board is named and found.
import { z } from "zod";
import { UserError } from "../../src/core/errors.ts";
import type { Reply } from "../../src/core/reply.ts";
import { defineCommand } from "../../src/discord/define.ts";
import type { Answer, Context, Where } from "../../src/discord/define/context.ts";
import type { Completing, Suggestion } from "../../src/discord/define/options.ts";
import type { Services } from "../../src/discord/define/services.ts";
import type { Repair, Subscription } from "../../src/boards/boards.ts";
import { formatSchedule } from "../../src/time/schedule.ts";
import { boardCardView } from "../../src/boards/board-post-view.ts";
import { boardLabel, boardListView, sortBoards } from "../../src/boards/board-list-view.ts";
import { pageArgsSchema } from "../../src/core/pages.ts";
import { repairFailedView, repairedView } from "../../src/boards/board-notice-view.ts";

/** What commands for boards are made with. */
export const BOARD_NEEDS = ["boards", "presentBoard", "stations"] as const;

/** Args of a button for one board. */
export const boardArgs = z.object({ b: z.string().regex(/^[0-9a-z]{8}$/) });

export type BoardContext = Context<(typeof BOARD_NEEDS)[number]>;

export function onBoard(run: (context: BoardContext, id: string) => Answer | Promise<Answer>) {
  return {
    args: boardArgs,
    run: ({ args, ...context }: BoardContext & { readonly args: { readonly b: string } }) =>
      run(context, args.b),
  };
}

/** The server where something was asked. Throws a UserError outside of one. */
export function guildOf({ guildId }: Where): string {
  if (guildId === undefined) {
    throw new UserError("Boards belong to servers. Please use that in a server.");
  }
  return guildId;
}

/** An option that takes a board of this server. Its value is the board's id. */
export const boardOption = {
  type: "string",
  description: "Which board; pick one from the list as you type",
  required: true,
  maxLength: 100,
  autocomplete: async ({
    text,
    where,
    services,
  }: Completing<"boards" | "stations">): Promise<readonly Suggestion[]> => {
    const boards = await services.boards.list(guildOf(where));
    const channels = services.boards.channelNames(boards);
    const typed = text.trim().toLowerCase();
    return sortBoards(boards, { stations: services.stations, channels })
      .map((board) => ({ name: nameOf(board, services, channels), value: board.id }))
      .filter(({ name, value }) => name.toLowerCase().includes(typed) || value === typed)
      .slice(0, 25);
  },
} as const;

function nameOf(
  board: Subscription,
  { stations }: Pick<Services, "stations">,
  channels: ReadonlyMap<string, string>,
): string {
  return `${boardLabel(board, { stations, channels })}, ${formatSchedule(board.settings.schedule)}`;
}

async function showPage({ services, where }: BoardContext, page: number): Promise<Reply> {
  const boards = await services.boards.list(guildOf(where));
  const channels = services.boards.channelNames(boards);
  return boardListView(boards, page, { stations: services.stations, channels });
}

/** Shows one board with its buttons. */
async function showCard({ services, where }: BoardContext, id: string): Promise<Reply> {
  return boardCardView(await services.boards.get(guildOf(where), id), services.stations);
}

function showRepair({ board, others, obstacle }: Repair, { services, where }: Context<"stations">): Reply {
  return obstacle === undefined
    ? repairedView(board, others, services.stations)
    : repairFailedView(obstacle, board, where.guildId !== undefined && where.channelId !== board.channelId);
}

export default defineCommand({
  description: "See the boards of this server, with buttons to change them",
  needs: BOARD_NEEDS,
  defer: "private",
  run: (context) => showPage(context, 0),
  selects: {
    open: { args: z.object({}), run: ({ chosen, ...context }) => showCard(context, chosen[0] ?? "") },
  },
  buttons: {
    page: {
      args: pageArgsSchema,
      run: ({ args, ...context }) => showPage(context, args.p),
    },
    card: onBoard(showCard),
    // A notice stands in a direct message or in a channel of all: in the former the service asks who may.
    repair: {
      args: boardArgs,
      async run({ args, ...context }) {
        const { services, caller, where } = context;
        const by = { userId: caller.id, guildId: where.guildId };
        return showRepair(await services.boards.repair(args.b, by), context);
      },
    },
    here: {
      args: boardArgs,
      async run({ args, ...context }) {
        const { services, caller, where } = context;
        const by = { userId: caller.id, guildId: guildOf(where) };
        return showRepair(await services.boards.repair(args.b, by, where.channelId), context);
      },
    },
  },
});
