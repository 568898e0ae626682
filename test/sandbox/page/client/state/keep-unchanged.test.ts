import { describe, expect, it } from "vitest";
import { keepUnchanged } from "../../../../../sandbox/page/client/state/keep-unchanged.ts";
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

describe("fetched messages", () => {
  it("keep the same object if only the signature of a link has changed", () => {
    const before = chatMessage({ attachments: [file("http://127.0.0.1/a.png?ex=1&hm=a")] });
    const again = chatMessage({ attachments: [file("http://127.0.0.1/a.png?ex=2&hm=b")] });
    expect(keepUnchanged([before], [again], 0)[0]).toBe(before);
  });

  it("keep a picture's link if the text has changed, so that the picture is not loaded again", () => {
    const before = chatMessage({ attachments: [file("http://127.0.0.1/a.png?ex=1&hm=a")] });
    const edited = chatMessage({
      content: "edited",
      attachments: [file("http://127.0.0.1/a.png?ex=2&hm=b")],
    });
    expect(keepUnchanged([before], [edited], 0)).toMatchObject([
      { content: "edited", attachments: [{ url: "http://127.0.0.1/a.png?ex=1&hm=a" }] },
    ]);
  });

  it("have new links once the old ones have expired", () => {
    const before = chatMessage({ attachments: [file("http://127.0.0.1/a.png?ex=a&hm=a")] });
    const again = chatMessage({ attachments: [file("http://127.0.0.1/a.png?ex=ff&hm=b")] });
    expect(keepUnchanged([before], [again], 9_999)[0]).toBe(before);
    expect(keepUnchanged([before], [again], 10_000)[0]).toBe(again);
  });
});
