import { defineCommand } from "../../src/discord/define.ts";
import { suggestZones } from "../../src/time/suggest-schedule.ts";
import { guildOf, type VideoSettings } from "../../src/videos/settings/video-rules.ts";
import { historyArgs } from "../../src/videos/video-args.ts";
import { ENTRIES_SHOWN, videoHistoryView, videoSettingsView } from "../../src/videos/video-settings-view.ts";

const REMOVALS = {
  approval: { approvalChannelId: undefined },
  approvers: { approverRoleId: undefined },
  ping: { pingRoleId: undefined },
  publishers: { publisherRoleId: undefined },
} as const satisfies Readonly<Record<string, Partial<VideoSettings>>>;

export default defineCommand({
  description: "See or change who publishes videos here, who approves them, and where",
  needs: ["publish", "videoActors", "videoRules"],
  defer: "private",
  options: {
    approval_channel: {
      type: "channel",
      description: "Channel where somebody else approves each video",
      channelTypes: ["text", "thread"],
    },
    approvers: { type: "role", description: "Role that may approve videos (among those who may use /video)" },
    approval_ping: {
      type: "role",
      description: "Role to ping when a video needs approval (default: nobody)",
    },
    publishers: {
      type: "role",
      description: "Role that may publish and edit videos (among those who may use /video)",
    },
    zone: {
      type: "string",
      description: "Time zone for publish times, e.g. London",
      maxLength: 60,
      autocomplete: ({ text }) => suggestZones(text),
    },
    remove: {
      type: "string",
      description: "Setting to clear",
      choices: [
        { name: "Approval: videos go out without it", value: "approval" },
        { name: "Approvers: everyone who may use /video approves", value: "approvers" },
        { name: "Approval ping: nobody is pinged", value: "ping" },
        { name: "Publishers: everyone who may use /video publishes", value: "publishers" },
      ],
    },
  },
  async run({ options, services: { videoActors, videoRules }, where, caller }) {
    const guildId = guildOf(where);
    const { approval_channel: channel, approvers, approval_ping: ping, publishers, zone, remove } = options;
    const changes: Partial<VideoSettings> = {
      ...(remove !== undefined && REMOVALS[remove]),
      ...(channel !== undefined && { approvalChannelId: channel.id }),
      ...(approvers !== undefined && { approverRoleId: approvers.id }),
      ...(ping !== undefined && { pingRoleId: ping.id }),
      ...(publishers !== undefined && { publisherRoleId: publishers.id }),
      ...(zone !== undefined && { timeZone: zone }),
    };
    if (Object.keys(changes).length === 0) {
      return videoSettingsView(await videoRules.settings(guildId));
    }
    const { by } = await videoActors.manager({ caller, where }, "change the settings for videos");
    return videoSettingsView(await videoRules.change(guildId, changes, by), "Saved.");
  },
  buttons: {
    show: {
      answers: "private",
      run: async ({ services, where }) =>
        videoSettingsView(await services.videoRules.settings(guildOf(where))),
    },
    history: {
      args: historyArgs,
      answers: "update",
      async run({ args: { atMs, id }, services, where }) {
        const guildId = guildOf(where);
        const before = atMs === undefined ? undefined : { atMs, id };
        const acts = await services.videoRules.auditEntries(guildId, { limit: ENTRIES_SHOWN + 1, before });
        const ids = new Set(acts.flatMap(({ publicationId }) => publicationId ?? []));
        const about = await services.publish.titles(guildId, [...ids]);
        return videoHistoryView(acts, before === undefined, about);
      },
    },
  },
});
