import { EngineError, type EngineJob, type LocalEngine } from '#server/engines/engine.ts';

/** An engine that finds nothing at once, without a file: for tests about many generations. A query may begin with `fail`. */
export interface QuickEngine extends LocalEngine {
  /** Every query that it was given, in order. */
  queries: string[];
}

export function createQuickEngine(): QuickEngine {
  const queries: string[] = [];
  return {
    name: 'quick',
    queries,
    supports: (task) => task === 'social.search',
    async run({ input }: EngineJob) {
      const query = String(input['query']);
      queries.push(query);
      if (query.startsWith('fail')) throw new EngineError('engine_failed', 'It was told to fail.', { retryable: true });
      return { files: [], data: { platform: input['platform'], query, count: 0, videos: [] } };
    },
  };
}
