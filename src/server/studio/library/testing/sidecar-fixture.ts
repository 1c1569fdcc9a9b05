import { assetCredentials } from '#server/platform/db/schema/credential-schema.ts';
import type { Deps } from '#server/platform/deps.ts';

/** Stores a manifest beside the file of an asset. */
export async function addSidecar({ db, clock }: Deps, asset_id: string, manifest: Buffer): Promise<void> {
  const row = { place: 'sidecar', record_salt: 'x', sidecar: manifest.toString('base64') } as const;
  await db
    .insert(assetCredentials)
    .values({ ...row, asset_id, created_at: clock.now() })
    .onConflictDoUpdate({ target: assetCredentials.asset_id, set: row });
}
