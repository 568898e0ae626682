import { describe, expect, it } from "vitest";
import { offerCommands, offerOptions, offersFor } from "../../../../../sandbox/page/client/command/offers.ts";
import { DIRECTORY, commandNamed, RUNNABLES } from "./commands.ts";

const { options } = commandNamed("departures");

function offered(name: string, typed = "") {
  const option = options.find((one) => one.name === name);
  return option === undefined ? undefined : offersFor(option, typed, DIRECTORY)?.map((one) => one.name);
}

describe("the offered list", () => {
  it("contains the commands whose name contains the text", () => {
    expect(offerCommands("", RUNNABLES)).toHaveLength(5);
    expect(offerCommands("l", RUNNABLES).map(({ name }) => name)).toEqual(["board list", "help", "style"]);
    expect(offerCommands("dep", RUNNABLES).map(({ name }) => name)).toEqual(["departures"]);
  });

  it("contains the options whose name begins with the text", () => {
    expect(offerOptions("v", options).map(({ name }) => name)).toEqual(["view"]);
  });

  it("contains choices, booleans, people, or channels of the right type", () => {
    expect(offered("view", "te")).toEqual(["Text"]);
    expect(offered("private")).toEqual(["True", "False"]);
    expect(offered("who", "@ada")).toEqual(["Ada", "Ada Lovelace"]);
    expect(offered("channel")).toEqual(["trains"]);
  });

  it("is absent for free text and numbers", () => {
    expect(offered("station")).toBeUndefined();
    expect(offered("rows")).toBeUndefined();
  });
});
