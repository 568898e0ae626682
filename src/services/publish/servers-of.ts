// For which servers somebody may publish from a conversation, where Discord says nothing about who they are there.
import type { Publish } from "./publish.ts";
import type { PublishDependencies } from "./publish-dependencies.ts";

/** Each of them takes two requests; of a bot in more servers only the likeliest are asked about. */
const MOST_ASKED = 25;
/** As many as a menu holds. */
const MOST_GIVEN = 25;

/** Makes that part of `Publish`. */
export function createServersOf({
  publications,
  accounts,
  rules,
  messenger,
  guilds,
  knownGuilds,
  log,
}: PublishDependencies): Publish["serversOf"] {
  async function mayPublish(guildId: string, userId: string): Promise<boolean> {
    const member = await messenger.member(guildId, userId);
    if (member === undefined || !member.mayManage) {
      return false;
    }
    const { publisherRoleId } = await rules.settings(guildId);
    if (publisherRoleId !== undefined && !member.roleIds.includes(publisherRoleId)) {
      return false;
    }
    return (await accounts.of(guildId)) !== undefined;
  }

  return async (userId) => {
    const [all, before, known] = await Promise.all([guilds(), publications.guildsOf(userId), knownGuilds()]);
    // Where they did so before, first, then where the bot is in use.
    const likely = all.toSorted(byPlaceIn([...before, ...known]));
    const asked = await Promise.all(
      likely.slice(0, MOST_ASKED).map(async ({ id, name }) => {
        try {
          return (await mayPublish(id, userId)) ? [{ guildId: id, name }] : [];
        } catch (error) {
          log.info({ error, guild: id }, "it could not be found out who somebody is in a server");
          return [];
        }
      }),
    );
    return asked.flat().slice(0, MOST_GIVEN);
  };
}

/** Those that are named first, in that order, and the others after them as they are. */
function byPlaceIn(ids: readonly string[]) {
  const places = new Map(ids.toReversed().map((id, index) => [id, index]));
  return (a: { readonly id: string }, b: { readonly id: string }) =>
    (places.get(b.id) ?? -1) - (places.get(a.id) ?? -1);
}
