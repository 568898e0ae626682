// What the sandbox's own routes below /_sandbox say to its page stands in this folder, by subject. Types alone, and none
// from elsewhere: the page, which knows no Node, imports them as they are. Moments (`atMs`) are on the sandbox's clock;
// durations (`…Ms`) are real. Here: what can be looked at and disturbed.

/** What can be looked at and disturbed. */
export type Target = "discord" | "gateway" | "transport" | "rail-data" | "tfl" | "style" | "video";

/** The services that the page shows one by one; the transport service stands for all sources of trains. */
export type Service = "transport" | "style" | "video";
