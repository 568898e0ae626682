import { defineSubcommandGroup } from "../../../src/discord/define.ts";

export default defineSubcommandGroup({ description: "The account that this server publishes with" });
