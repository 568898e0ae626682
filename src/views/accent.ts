/** The colour of the frame around what the bot says: the amber of a board's lamps. */
export const ACCENT = 0xffb52e;
