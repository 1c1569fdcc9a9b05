import { inputContract } from '#contract/catalog.ts';
import { extractReferences } from '#contract/task-input.ts';
import { findLocalMedia } from '#server/studio/assets/find-stored-media.ts';
import { mediaName, namingField, toSourceName } from '#server/studio/assets/media-name.ts';
import { stripExtension } from '#server/platform/core/file-names.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { GenerationRow } from './present-generation.ts';

/** The name of the file that a tool worked on; null for other tasks, or if it has none. Decision: Names of media */
export async function readSourceName(
  deps: Deps,
  { task, model, input, organization_id }: GenerationRow,
): Promise<string | null> {
  const field = namingField(task);
  const contract = field === null ? undefined : inputContract(task, model);
  const url = contract && extractReferences(contract, input).find(({ path }) => path === field)?.url;
  if (!url) return null;
  const local = await findLocalMedia(deps, organization_id, url, { even_removed: true });
  const name = local.own ? local.medium && mediaName(local.medium) : lastSegment(url);
  const has_extension = !local.own || local.medium?.generation === null;
  return name === null ? null : toSourceName(has_extension ? stripExtension(name) : name, task);
}

function lastSegment(url: string): string | null {
  const segment = URL.canParse(url) ? (new URL(url).pathname.split('/').at(-1) ?? '') : '';
  // Unlike `decodeURIComponent`, this leaves a stray percent sign unchanged.
  return new URLSearchParams(`name=${segment.replaceAll('+', '%2B')}`).get('name') || null;
}
