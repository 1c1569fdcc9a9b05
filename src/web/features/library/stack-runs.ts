import type { MediaItem } from '#contract/resources/media.ts';

/**
 * Puts the files of a workflow run behind the newest of them, which is the result of its last step.
 * @param openRuns runs whose files all follow the newest one
 * @returns `counts`: files by the id of the one that stands for them
 */
export function stackRuns<M extends Pick<MediaItem, 'id' | 'generation'>>(
  rows: readonly M[],
  openRuns: ReadonlySet<string>,
): { media: M[]; counts: ReadonlyMap<string, number> } {
  const stacks = Map.groupBy(rows, ({ id, generation }) => generation?.workflow_run_id ?? id);
  const counts = new Map<string, number>();
  const media = [...stacks].flatMap(([run, files]) => {
    const [newest] = files;
    if (!newest || files.length === 1) return files;
    counts.set(newest.id, files.length);
    return openRuns.has(run) ? files : [newest];
  });
  return { media, counts };
}
