import { EngineError, type EngineJob, type LocalEngine } from '#server/models/engine/engine.ts';

/** Completes searches at once without files, for tests with many generations. A query that begins with `fail` fails. */
interface QuickEngine extends LocalEngine {
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
