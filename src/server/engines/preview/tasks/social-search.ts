import type { EngineJobOf, EngineResult } from '../../engine.ts';
import type { PreviewContext } from '../preview-context.ts';
import { searchPosts } from '../social/search-posts.ts';

export async function searchSocial(
  job: EngineJobOf<'social.search'>,
  { loadCorpus }: PreviewContext,
): Promise<EngineResult> {
  const query = job.input;
  const videos = searchPosts(await loadCorpus(), query);
  job.signal.throwIfAborted();
  job.onProgress(1);
  return { files: [], data: { platform: query.platform, query: query.query, count: videos.length, videos } };
}
