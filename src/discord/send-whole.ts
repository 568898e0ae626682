// How discord.js's requests leave: with their forms as bytes. As a stream, a form whose connection breaks, or that is
// taken back, fails inside undici where nobody can catch it, and the process ends.
import { DefaultRestOptions, type RESTOptions } from "discord.js";

type MakeRequest = RESTOptions["makeRequest"];

/** Sends a request of discord.js's. */
export const sendWhole: MakeRequest = async (url, init) => {
  const { body, headers } = init;
  if (!(body instanceof FormData)) {
    return DefaultRestOptions.makeRequest(url, init);
  }
  const form = new Response(body);
  const type = form.headers.get("content-type") ?? "";
  return DefaultRestOptions.makeRequest(url, {
    ...init,
    body: await form.bytes(),
    // discord.js hands over a plain record.
    headers: { ...(headers as Record<string, string>), "content-type": type },
  });
};
