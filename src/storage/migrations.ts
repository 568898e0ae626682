// Every change to the database, oldest first. A released migration is never edited; a further change is a new entry. A
// migration's number is its position in the list.
import type { SchemaModule } from "kysely";
import { spending } from "./migrations/1-spending.ts";
import { boards } from "./migrations/2-boards.ts";
import { watches } from "./migrations/3-watches.ts";
import { stylePreviews } from "./migrations/4-style-previews.ts";
import { videos } from "./migrations/5-videos.ts";
import { oneVideoEach } from "./migrations/6-one-video-each.ts";
import { claims } from "./migrations/7-claims.ts";
import { publicationColumns } from "./migrations/8-publication-columns.ts";
import { owner } from "./migrations/9-owner.ts";
import { shares } from "./migrations/10-shares.ts";
import { approvalRounds } from "./migrations/11-approval-rounds.ts";
import { boardHistory } from "./migrations/12-board-history.ts";
import { erasures } from "./migrations/13-erasures.ts";
import { recentChoices } from "./migrations/14-recent-choices.ts";
import { shardSessions } from "./migrations/15-shard-sessions.ts";
import type { Queries } from "./schema.ts";

/** One migration. It runs inside a transaction, on SQLite and on PostgreSQL. */
export type Migration = (schema: SchemaModule, transaction: Queries) => Promise<void>;

/** The first entry is version 1. */
export const MIGRATIONS: readonly Migration[] = [
  spending,
  boards,
  watches,
  stylePreviews,
  videos,
  oneVideoEach,
  claims,
  publicationColumns,
  owner,
  shares,
  approvalRounds,
  boardHistory,
  erasures,
  recentChoices,
  shardSessions,
];
