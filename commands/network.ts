// How the network stands.
import { defineCommand } from "../src/discord/define.ts";
import { pressed } from "../src/discord/define/components.ts";
import type { Context } from "../src/discord/define/context.ts";
import type { Services } from "../src/discord/define/services.ts";
import { networkArgs, networkView } from "../src/travel/network-view.ts";

async function showNetwork({ network }: Pick<Services, "network">, skip: number) {
  return networkView(await network.state(), skip);
}

const show = pressed(networkArgs, ({ services }: Context<"network">, { skip }) =>
  showNetwork(services, skip),
);

export default defineCommand({
  description: "See where trains, tubes, trams, buses and ferries are disrupted now",
  needs: ["network"],
  run: ({ services }) => showNetwork(services, 0),
  buttons: { refresh: show, back: show, more: show },
});
