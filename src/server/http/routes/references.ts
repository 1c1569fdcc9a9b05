import type { Deps } from '#server/platform/deps.ts';
import type { SamplePosters } from '#server/models/preview/social/sample-posters.ts';
import { checkReference } from '#server/studio/generations/check-reference.ts';
import { createExternalFiles } from '#server/studio/generations/read-external-file.ts';
import { savePost } from '#server/studio/uploads/save-post.ts';
import type { Handlers } from '#server/http/handler.ts';

export function referenceRoutes(deps: Deps, sample_posters: SamplePosters) {
  const all = { ...deps, sample_posters, external_files: createExternalFiles(deps) };
  return {
    check_reference: ({ caller, body, signal }) => checkReference(all, caller, body.url, signal),

    save_post: ({ caller, params, body, signal }) => savePost(all, caller, params.generation_id, body.post_id, signal),
  } satisfies Handlers;
}
