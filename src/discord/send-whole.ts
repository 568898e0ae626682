// How discord.js's requests leave: with their forms as bytes. As a stream, a form whose connection breaks, or that is
// taken back, fails inside undici where nobody can catch it, and the process ends.
import { DefaultRestOptions, type RESTOptions } from "discord.js";

type MakeRequest = RESTOptions["makeRequest"];
type RequestInit = Parameters<MakeRequest>[1];

/** Sends a request of discord.js's. */
export const sendWhole: MakeRequest = (url, init) =>
  init.body instanceof FormData ? sendForm(url, init, init.body) : DefaultRestOptions.makeRequest(url, init);

async function sendForm(url: string, init: RequestInit, body: FormData): ReturnType<MakeRequest> {
  const form = new Response(body);
  const type = form.headers.get("content-type") ?? "";
  return DefaultRestOptions.makeRequest(url, {
    ...init,
    body: await form.bytes(),
    // discord.js hands over a plain record.
    headers: { ...(init.headers as Record<string, string>), "content-type": type },
  });
}
