import type { Logger } from 'pino';
import type { Clock } from '#server/core/clock.ts';
import type { Config } from '#server/core/config.ts';
import type { Db } from '#server/db/db.ts';
import type { OfferingSource } from '#server/catalog/offering.ts';
import type { TransitionListener } from '#server/generations/transition-generation.ts';
import type { JobQueue } from '#server/jobs/job-queue.ts';
import type { MediaTools } from '#server/media/media-tools.ts';
import type { Fetcher } from '#server/net/fetcher.ts';
import type { Secrets } from '#server/core/secrets.ts';
import type { Storage } from '#server/storage/storage.ts';
import type { Expressions } from '#server/workflows/expression/expressions.ts';
import type { SharedStarter } from '#server/workflows/starters/load-starters.ts';

/** The parts of the service. A domain function takes only what it needs: `Pick<Deps, 'db' | 'clock'>`. */
export interface Deps {
  config: Config;
  db: Db;
  clock: Clock;
  log: Logger;
  storage: Storage;
  media: MediaTools;
  fetcher: Fetcher;
  offering: OfferingSource;
  queue: JobQueue;
  secrets: Secrets;
  /** Called for every status change of a generation, in order, in its transaction. */
  transition_listeners: readonly TransitionListener[];
  expressions: Expressions;
  starters: readonly SharedStarter[];
}
