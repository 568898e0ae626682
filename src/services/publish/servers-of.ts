// For which servers somebody may publish from a conversation, where Discord says nothing about who they are there.
import type { Publish } from "./publish.ts";
import type { PublishDependencies } from "./publish-dependencies.ts";

/** Each of them takes a request; a bot in more servers asks about those that the person published for before. */
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
    const all = guilds();
    const known = new Set(await publications.guildsOf(userId));
    // Where they did so before, first: they are the likeliest.
    const likely = all.toSorted((a, b) => Number(known.has(b.id)) - Number(known.has(a.id)));
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
