// The boards that are kept because somebody asked for them.
import type { TransportBoard } from "../../clients/transport/transport-board.ts";
import type { Answers } from "../cache/answers.ts";
import type { KeptBoard } from "./seen-trains.ts";

/** Takes them out of the store that departures are asked through; its keys begin `board:departures:` and `board:arrivals:`. */
export function keptBoards(answers: Pick<Answers, "held">): readonly KeptBoard[] {
  return (["departures", "arrivals"] as const).flatMap((kind) =>
    answers.held<TransportBoard>(`board:${kind}:`).map(({ value }) => ({ kind, board: value })),
  );
}
