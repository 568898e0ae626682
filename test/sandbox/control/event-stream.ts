// Reads server-sent events from a text stream.

export interface Heard {
  /** `message` unless the event has a name. */
  readonly name: string;
  readonly data: unknown;
}

export function readEvents(): TransformStream<string, Heard> {
  let rest = "";
  return new TransformStream({
    transform(text, controller) {
      const events = (rest + text).split("\n\n");
      rest = events.pop() ?? "";
      for (const event of events) {
        const [, name = "message"] = /^event: (.*)$/m.exec(event) ?? [];
        const [, data] = /^data: (.*)$/m.exec(event) ?? [];
        if (data !== undefined) {
          controller.enqueue({ name, data: JSON.parse(data) });
        }
      }
    },
  });
}
