import type { z } from "zod";
import { ServiceError } from "./errors.ts";
import type { HttpAnswer } from "./http.ts";

/**
 * Parses an answer's body with a schema of the fields that the bot uses. The caller must check the status first. Throws
 * ServiceError `unexpected-answer` that contains the wrong paths, never a value. `parse` parses the text, and throws if
 * it cannot.
 */
export function parseJsonAnswer<T>(
  service: string,
  answer: HttpAnswer,
  schema: z.ZodType<T>,
  parse: (text: string) => unknown = JSON.parse,
): T {
  const result = schema.safeParse(readJson(service, answer, parse));
  if (!result.success) {
    throw unexpected(service, answer, result.error.issues.map(describeIssue).slice(0, MAX_ISSUES).join("; "));
  }
  return result.data;
}

/** Enough to see what changed; an array of a thousand entries can be invalid a thousand times. */
const MAX_ISSUES = 3;

function readJson(service: string, answer: HttpAnswer, parse: (text: string) => unknown): unknown {
  try {
    return parse(new TextDecoder("utf-8", { fatal: true }).decode(answer.bytes));
  } catch {
    // The parser's message quotes the text, so it must not become the cause.
    throw unexpected(service, answer, `not JSON but ${describeContent(answer)}`);
  }
}

/** Refusals are short, so a longer answer is something else. */
const MAX_REFUSAL_BYTES = 64 * 1024;

/** `undefined` if the answer does not match the schema. Its texts may contain addresses and keys: never store or log them. */
export function readRefusal<T>({ bytes }: HttpAnswer, schema: z.ZodType<T>): T | undefined {
  try {
    return bytes.byteLength > MAX_REFUSAL_BYTES
      ? undefined
      : schema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return undefined;
  }
}

function describeContent({ bytes, headers }: HttpAnswer): string {
  if (bytes.byteLength === 0) {
    return "nothing";
  }
  const start = new TextDecoder().decode(bytes.subarray(0, 200)).trimStart().toLowerCase();
  const isHtml = start.startsWith("<!doctype html") || start.startsWith("<html");
  return isHtml || headers["content-type"]?.toLowerCase().startsWith("text/html") ? "HTML" : "something else";
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const path = issue.path.map(String).join(".") || "the whole answer";
  return issue.code === "invalid_type"
    ? `${path} is not ${issue.expected}`
    : `${path} is wrong (${issue.code})`;
}

function unexpected(service: string, { status, headers }: HttpAnswer, message: string): ServiceError {
  return new ServiceError(service, "unexpected-answer", message, {
    status,
    requestId: headers["x-request-id"],
  });
}
