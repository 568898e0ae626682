import { describe, expect, it } from "vitest";
import { keepUnchanged, mergeMessages } from "../../../../../sandbox/page/client/state/merge-messages.ts";
import { chatMessage } from "../chat-message.ts";

const file = (url: string) => ({
  id: "7",
  filename: "a.png",
  url,
  size: 1,
  description: undefined,
  contentType: "image/png",
  width: 1,
  height: 1,
  spoiler: false,
});

const [one, two, three] = ["1", "2", "3"].map((id) => chatMessage({ id })) as [
  // Three ids make three messages.
  ReturnType<typeof chatMessage>,
  ReturnType<typeof chatMessage>,
  ReturnType<typeof chatMessage>,
];

describe("fetched messages", () => {
  it("leave what did not change the same object, though its links are signed anew", () => {
    const before = chatMessage({ attachments: [file("http://127.0.0.1/a.png?ex=1&hm=a")] });
    const again = chatMessage({ attachments: [file("http://127.0.0.1/a.png?ex=2&hm=b")] });
    expect(keepUnchanged([before], [again], 0)[0]).toBe(before);
  });

  it("keep a picture's link when only the words change, so that it is not loaded anew", () => {
    const before = chatMessage({ attachments: [file("http://127.0.0.1/a.png?ex=1&hm=a")] });
    const edited = chatMessage({
      content: "edited",
      attachments: [file("http://127.0.0.1/a.png?ex=2&hm=b")],
    });
    expect(mergeMessages([before], ["1"], [edited], 0)).toMatchObject([
      { content: "edited", attachments: [{ url: "http://127.0.0.1/a.png?ex=1&hm=a" }] },
    ]);
  });

  it("bring new links once the old ones are dead", () => {
    const before = chatMessage({ attachments: [file("http://127.0.0.1/a.png?ex=a&hm=a")] });
    const again = chatMessage({ attachments: [file("http://127.0.0.1/a.png?ex=ff&hm=b")] });
    expect(keepUnchanged([before], [again], 9_999)[0]).toBe(before);
    expect(keepUnchanged([before], [again], 10_000)[0]).toBe(again);
  });

  it("take their places: changed ones where they stood, new ones at the end, missing ones away", () => {
    const changed = chatMessage({ id: "2", content: "changed" });
    const merged = mergeMessages([one, two, three], ["2", "3", "4"], [changed, chatMessage({ id: "4" })], 0);
    expect(merged.map(({ id, content }) => [id, content])).toEqual([
      ["1", "hello"],
      ["2", "changed"],
      ["4", "hello"],
    ]);
    expect(merged[0]).toBe(one);
  });
});
