import * as z from 'zod/mini';
import { PLATFORMS } from '#contract/tasks/social-search.ts';
import type { EngineJob, EngineResult } from '../../engine.ts';
import type { PreviewContext } from '../preview-context.ts';
import { searchPosts } from '../social/search-posts.ts';

const Input = z.object({
  platform: z.enum(PLATFORMS),
  query: z.string(),
  limit: z._default(z.int(), 20),
  media_type: z._default(z.enum(['video', 'carousel']), 'video'),
  sort: z._default(z.enum(['relevance', 'recent', 'popular']), 'relevance'),
  min_views: z._default(z.nullable(z.int()), null),
  max_duration_seconds: z._default(z.nullable(z.number()), null),
  published_after: z._default(z.nullable(z.string()), null),
});

/** Searches the posts at hand, which are samples unless the operator brought others. */
export async function searchSocial(job: EngineJob, { loadCorpus }: PreviewContext): Promise<EngineResult> {
  const query = Input.parse(job.input);
  const videos = searchPosts(await loadCorpus(), query);
  job.signal.throwIfAborted();
  job.onProgress(1);
  return { files: [], data: { platform: query.platform, query: query.query, count: videos.length, videos } };
}
