// Commands for tests, similar to the bot's own.
import { listRunnables, type Runnable } from "../../../../../sandbox/page/client/command/runnables.ts";

export const COMMANDS = [
  {
    name: "departures",
    description: "Live departures",
    options: [
      { type: 3, name: "station", description: "Name or code", required: true, autocomplete: true },
      { type: 3, name: "to", description: "Calling at", max_length: 8 },
      { type: 4, name: "rows", description: "How many", min_value: 1, max_value: 10 },
      { type: 5, name: "private", description: "Only for you" },
      {
        type: 3,
        name: "view",
        description: "How it looks",
        choices: [
          { name: "Dot-matrix picture", value: "picture" },
          { name: "Text", value: "text" },
        ],
      },
      { type: 6, name: "who", description: "For whom" },
      { type: 7, name: "channel", description: "Where", channel_types: [0] },
    ],
  },
  { name: "help", description: "What I can do" },
  {
    name: "board",
    description: "Boards",
    options: [
      { type: 1, name: "list", description: "All boards" },
      {
        type: 1,
        name: "subscribe",
        description: "A new board",
        options: [{ type: 3, name: "station", description: "Name or code", required: true }],
      },
    ],
  },
  {
    name: "style",
    description: "Restyle",
    options: [
      { type: 11, name: "image", description: "The picture", required: true, file_types: ["image"] },
      { type: 3, name: "style", description: "Which", required: true },
    ],
  },
];

export const RUNNABLES = listRunnables(COMMANDS);

export function commandNamed(name: string): Runnable {
  const found = RUNNABLES.find((one) => one.name === name);
  if (found === undefined) {
    throw new Error(`There is no test command /${name}.`);
  }
  return found;
}

/** The people, roles and channels that can be mentioned in a channel. */
export const DIRECTORY = {
  people: [
    { id: "1", name: "Ada" },
    { id: "2", name: "Ada Lovelace" },
  ],
  roles: [{ id: "3", name: "Moderator" }],
  channels: [
    { id: "4", name: "trains", kind: 0 },
    { id: "5", name: "news", kind: 5 },
  ],
};
