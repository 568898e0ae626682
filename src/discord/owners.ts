// The people who run the bot: the owner of the Discord application, or the members of its team.
// https://discord.com/developers/docs/resources/application#get-current-application
import { type REST, Routes } from "discord.js";
import { z } from "zod";
import type { Clock } from "../core/clock.ts";

/** Somebody who has left the team loses access within a minute. */
const REMEMBER_MS = 60_000;

/** The membership state of somebody who has accepted the invitation to the team. */
const ACCEPTED = 2;

const user = z.object({ id: z.string() });
const applicationSchema = z.object({
  owner: user.nullish(),
  team: z
    .object({
      members: z.array(z.object({ membership_state: z.number(), role: z.string().optional(), user })),
    })
    .nullish(),
});

/** Returns a function that returns their ids. It throws what discord.js throws if Discord does not answer. */
export function createOwnerIds(rest: Pick<REST, "get">, clock: Pick<Clock, "elapsed">) {
  let known: { readonly ids: Promise<ReadonlySet<string>>; readonly atMs: number } | undefined;

  async function read(): Promise<ReadonlySet<string>> {
    try {
      const { owner, team } = applicationSchema.parse(await rest.get(Routes.currentApplication()));
      // The owner of a team's application is the team itself, not a person.
      const members = team?.members.filter(
        ({ membership_state: state, role }) => state === ACCEPTED && role !== "read_only",
      );
      return new Set(members?.map((member) => member.user.id) ?? (owner ? [owner.id] : []));
    } catch (error) {
      known = undefined;
      throw error;
    }
  }

  return (): Promise<ReadonlySet<string>> => {
    if (known === undefined || clock.elapsed() - known.atMs >= REMEMBER_MS) {
      known = { ids: read(), atMs: clock.elapsed() };
    }
    return known.ids;
  };
}
