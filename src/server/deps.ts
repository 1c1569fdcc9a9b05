import type { Logger } from 'pino';
import type { PriceBook } from '#contract/pricing.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Db } from './db/db.ts';
import type { Engine } from './engines/engine.ts';
import type { SwitchedOff } from './engines/config/read-engines.ts';
import type { TransitionListener } from './generations/move.ts';
import type { JobQueue } from './jobs/queue.ts';
import type { MediaTools } from './media/media-tools.ts';
import type { Fetcher } from './net/fetch.ts';
import type { Secrets } from './secrets.ts';
import type { Storage } from './storage/storage.ts';
import type { Expressions } from './workflows/expression/expressions.ts';
import type { SharedStarter } from './workflows/starters/load-starters.ts';

/** What the service is made of. A domain verb takes only the part it needs: `Pick<Deps, 'db' | 'clock'>`. */
export interface Deps {
  config: Config;
  db: Db;
  clock: Clock;
  log: Logger;
  storage: Storage;
  media: MediaTools;
  fetcher: Fetcher;
  engines: readonly Engine[];
  off: SwitchedOff;
  prices: PriceBook;
  queue: JobQueue;
  secrets: Secrets;
  /** Notified of every change of a generation's status, in order, in its transaction. */
  transition_listeners: readonly TransitionListener[];
  expressions: Expressions;
  /** Workflows that every organization can run. */
  starters: readonly SharedStarter[];
}
