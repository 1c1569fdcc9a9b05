import { join } from 'node:path';
import { and, asc, eq, gt, isNull, or } from 'drizzle-orm';
import { assetCredentials } from '#server/platform/db/schema/credential-schema.ts';
import { assets, generations } from '#server/platform/db/schema/schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { signBeside } from '#server/platform/media/credentials/sign-file.ts';
import { MediaError } from '#server/platform/media/media-error.ts';
import { probeFile } from '#server/platform/media/probe-file.ts';
import { StorageError } from '#server/platform/storage/storage.ts';
import { isStored } from '#server/studio/assets/find-stored-media.ts';
import { withTempDir } from '#server/studio/assets/temp-dir.ts';
import { openSigner } from './sign-outputs.ts';

const PAGE_ROWS = 100;
type Output = { asset: typeof assets.$inferSelect; generation: typeof generations.$inferSelect };

/**
 * Signs outputs that have no content credentials, beside their files, which stay as they are.
 * @returns the numbers of signed outputs and of those that can't be signed
 * @throws {StorageError} `unavailable`
 */
export async function createSidecars(deps: Deps, signal: AbortSignal): Promise<{ signed: number; failed: number }> {
  const done = { signed: 0, failed: 0 };
  for (let last = ''; ;) {
    const page: Output[] = await deps.db
      .select({ asset: assets, generation: generations })
      .from(assets)
      .innerJoin(generations, eq(generations.id, assets.generation_id))
      .leftJoin(assetCredentials, eq(assetCredentials.asset_id, assets.id))
      .where(
        and(
          gt(assets.id, last),
          isStored(assets),
          or(isNull(assetCredentials.asset_id), eq(assetCredentials.place, 'none')),
        ),
      )
      .orderBy(asc(assets.id))
      .limit(PAGE_ROWS);
    const [newest] = page.slice(-1);
    if (!newest) return done;
    for (const output of page) done[(await signOutput(deps, output, signal)) ? 'signed' : 'failed'] += 1;
    last = newest.asset.id;
  }
}

async function signOutput(deps: Deps, { asset, generation }: Output, signal: AbortSignal): Promise<boolean> {
  const { id: asset_id, storage_key, mime_type } = asset;
  try {
    return await withTempDir(deps.config.mediaDir, async (folder) => {
      const file = join(folder, 'output');
      await deps.storage.copyToFile(storage_key, file, { signal });
      const media = { ...(await probeFile(deps.media, file, { signal })), mime_type };
      const sign = await openSigner(deps, generation, { files: [file] }, { folder, signal, sign: signBeside });
      const { credentials } = await sign({ asset_id, media, index: 0 });
      if (credentials.place === 'none') return false;
      await deps.db
        .insert(assetCredentials)
        .values({ asset_id, created_at: deps.clock.now(), ...credentials })
        .onConflictDoUpdate({ target: assetCredentials.asset_id, set: credentials });
      return true;
    });
  } catch (error) {
    if (!(error instanceof MediaError) && !(error instanceof StorageError && error.code === 'not_found')) throw error;
    deps.log.warn({ err: error, asset_id }, 'output could not be signed');
    return false;
  }
}
