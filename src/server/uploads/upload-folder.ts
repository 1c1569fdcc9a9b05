import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '#server/core/config.ts';

export const uploadFolder = ({ media_dir }: Pick<Config, 'media_dir'>): string => join(media_dir, 'tmp', 'uploads');

/** @returns the number of files */
export async function removeStaleUploads(config: Pick<Config, 'media_dir'>, before: Date): Promise<number> {
  const folder = uploadFolder(config);
  let removed = 0;
  for (const name of await readdir(folder).catch(() => [])) {
    const file = join(folder, name);
    const stats = await stat(file).catch(() => null);
    if (!stats || stats.mtime >= before) continue;
    await rm(file, { force: true });
    removed += 1;
  }
  return removed;
}
