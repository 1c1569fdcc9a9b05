import type { Logger } from 'pino';
import type { SigningAuthority } from './credentials/signing-authority.ts';
import type { Clock } from './core/clock.ts';
import type { Config } from './core/settings/config.ts';
import type { Db } from './db/db.ts';
import type { OfferingSource } from '#server/models/catalog/offering.ts';
import type { TransitionListener } from '#server/studio/generations/read/generation-row.ts';
import type { JobQueue } from './jobs/job-queue.ts';
import type { MediaTools } from './media/media-tools.ts';
import type { Fetcher } from './net/fetcher.ts';
import type { Secrets } from './core/secrets.ts';
import type { Storage } from './storage/storage.ts';
import type { Expressions } from '#server/studio/workflows/expression/expressions.ts';
import type { SharedStarter } from '#server/studio/workflows/starters/load-starters.ts';

/** The parts of the running service. What also runs before it or on the command line names the parts that it takes. */
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
  signing: SigningAuthority;
  /** Called for every status change of a generation, in order, in its transaction. */
  transitionListeners: readonly TransitionListener[];
  expressions: Expressions;
  starters: readonly SharedStarter[];
}
