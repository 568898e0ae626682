import { describe, expect, test } from "vitest";
import { z } from "zod";
import { ServiceError } from "../../src/core/errors.ts";
import type { HttpAnswer } from "../../src/core/http.ts";
import { parseJsonAnswer } from "../../src/core/json.ts";

const BOARD = z.object({
  departures: z.object({ all: z.array(z.object({ platform: z.string().nullable() })) }),
});

function answer(body: string | Uint8Array, headers: Record<string, string> = {}): HttpAnswer {
  return { status: 200, headers, bytes: typeof body === "string" ? new TextEncoder().encode(body) : body };
}

function refusal(of: HttpAnswer): ServiceError {
  try {
    parseJsonAnswer("transport", of, BOARD);
  } catch (error) {
    if (error instanceof ServiceError) {
      return error;
    }
    throw error;
  }
  throw new Error("the answer was accepted, but should have been refused");
}

describe("parseJsonAnswer", () => {
  test("returns only the fields of the schema", () => {
    const body = '{"departures":{"all":[{"platform":"5","x":1},{"platform":null}]},"y":2}';
    expect(parseJsonAnswer("transport", answer(body), BOARD)).toEqual({
      departures: { all: [{ platform: "5" }, { platform: null }] },
    });
  });

  test("reads JSON after a byte order mark", () => {
    expect(parseJsonAnswer("transport", answer("\uFEFF[1]"), z.array(z.number()))).toEqual([1]);
  });

  test("names the path of a wrong value, but never the value", () => {
    const error = refusal(answer('{"departures":{"all":[{"platform":"5"},{"platform":{"hunter2":1}}]}}'));
    expect(error).toMatchObject({ service: "transport", kind: "unexpected-answer", status: 200 });
    expect(error.message).toContain("departures.all.1.platform");
    expect(`${error.message} ${error.stack}`).not.toContain("hunter2");
  });

  test("names only the first few of many wrong paths", () => {
    const all = Array.from({ length: 1000 }, () => ({ platform: 1 }));
    expect(refusal(answer(JSON.stringify({ departures: { all } }))).message.length).toBeLessThan(300);
  });

  test("says so if the whole answer has another type", () => {
    expect(refusal(answer("[]")).message).toContain("the whole answer is not object");
  });

  test.each([
    ["HTML", answer("\n<!DOCTYPE html><p>hunter2", { "content-type": "text/html; charset=utf-8" })],
    ["HTML", answer("<html>hunter2", { "content-type": "application/json" })],
    ["nothing", answer("")],
    ["something else", answer('{"app_key":"hunter2"')],
    ["something else", answer(new Uint8Array([0x22, 0xff, 0x22]))],
  ])("says if the answer is %s", (what, given) => {
    const error = refusal(given);
    expect(error.kind).toBe("unexpected-answer");
    expect(error.message).toContain(`not JSON but ${what}`);
    expect(error.cause).toBeUndefined();
    expect(`${error.message} ${error.stack}`).not.toContain("hunter2");
  });

  test("keeps the service's request id", () => {
    expect(refusal(answer("", { "x-request-id": "r-1" })).requestId).toBe("r-1");
  });
});
