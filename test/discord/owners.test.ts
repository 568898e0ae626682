import { expect, it } from "vitest";
import { createOwnerIds } from "../../src/discord/admission.ts";
import { createStillClock } from "../support/still-clock.ts";

function open(application: unknown) {
  const clock = createStillClock();
  const state = { application, asked: 0, isAway: false };
  const ownerIds = createOwnerIds(
    {
      async get() {
        state.asked += 1;
        if (state.isAway) {
          throw new Error("Discord is away");
        }
        return state.application;
      },
    },
    clock,
  );
  const owners = async () => [...(await ownerIds())];
  return { clock, state, owners };
}

it("the bot's owner is the application's owner", async () => {
  expect(await open({ owner: { id: "1" }, team: null }).owners()).toEqual(["1"]);
});

it("the bot's owners are the members who have joined the application's team, except read-only ones", async () => {
  const members = [
    { user: { id: "1" }, membership_state: 2, role: "admin" },
    { user: { id: "2" }, membership_state: 2, role: "read_only" },
    { user: { id: "3" }, membership_state: 1, role: "developer" },
    { user: { id: "4" }, membership_state: 2, role: "developer" },
    { user: { id: "5" }, membership_state: 2 },
  ];
  // Discord names the team itself as the owner.
  expect(await open({ owner: { id: "9" }, team: { members } }).owners()).toEqual(["1", "4", "5"]);
});

it("the bot's owners are read from Discord at most once a minute, and again after a failure", async () => {
  const { clock, state, owners } = open({ owner: { id: "1" }, team: null });
  await owners();
  clock.advance(59_999);
  await owners();
  expect(state.asked).toBe(1);
  state.application = { owner: { id: "2" }, team: null };
  state.isAway = true;
  clock.advance(1);
  await expect(owners()).rejects.toThrow("Discord is away");
  state.isAway = false;
  expect(await owners()).toEqual(["2"]);
});

it("the bot has no owner if Discord names none", async () => {
  expect(await open({}).owners()).toEqual([]);
});
