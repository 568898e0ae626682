import { expect, it } from "vitest";
import type { PauseReason } from "../../src/boards/boards.ts";
import { createStations } from "../../src/rail/stations.ts";
import { type NoticePlace, boardNoticeView } from "../../src/boards/board-card-view.ts";
import { componentIdsOf } from "../support/fake-messenger.ts";
import { textOf } from "../support/reply-parts.ts";
import { subscription } from "../support/subscriptions.ts";

const stations = createStations();

function notice(pausedBecause: PauseReason, place: NoticePlace = {}, others = 0) {
  const board = subscription({ channelId: "22", state: "paused", pausedBecause, nextSlotMs: undefined });
  const reply = boardNoticeView(board, place, others, stations);
  return { text: textOf(reply), ids: componentIdsOf(reply) };
}

it("names the board that stopped and its channel, and says why and what to do", () => {
  const { text, ids } = notice("not-allowed", { guild: "Early *birds*", channel: "late_trains" });
  expect(text).toContain("York → Leeds");
  expect(text).toContain("It was in **#late\\_trains** on **Early \\*birds\\*** (<#22>), and stopped");
  const gone = notice("channel-gone", { guild: "Early birds", channel: "trains" });
  expect(gone.text).toContain("It was in **#trains** on **Early birds**, and stopped");
  expect(text).toContain("I can't post in its channel any more");
  expect(text).toContain("**Send Messages**");
  expect(ids).toEqual(["board/list:repair:1:b=abcd1234"]);
});

it.each<[PauseReason, string]>([
  ["channel-gone", "/board list"],
  ["station-closed", "/board edit"],
])("names the command that helps if the reason is %s", (reason, command) => {
  const { text } = notice(reason);
  expect(text).toContain("<#22>, and");
  expect(text).toContain(command);
});

it("says how many other boards stopped with it", () => {
  expect(notice("channel-gone").text).not.toContain("stopped too");
  expect(notice("channel-gone", {}, 1).text).toContain("Your other board there has stopped too");
  expect(notice("channel-gone", {}, 3).text).toContain("Your 3 other boards there");
});
