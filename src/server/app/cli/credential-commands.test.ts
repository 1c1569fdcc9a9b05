import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { composeService, createLogger } from '#server/app/compose.ts';
import { bootstrap } from '#server/app/bootstrap.ts';
import { findCaller } from '#server/accounts/keys/find-caller.ts';
import { readConfig } from '#server/platform/core/settings/config.ts';
import { createGeneration } from '#server/studio/generations/create/create-generation.ts';
import { runGeneration } from '#server/studio/generations/run-generation.ts';
import { type CliFixture, useCliFixture } from '#server/app/testing/cli-fixture.ts';
import { auditEvents } from '#server/platform/db/schema/audit-schema.ts';
import { assetCredentials, signingCertificates } from '#server/platform/db/schema/credential-schema.ts';
import { lockFolder } from '#server/platform/db/embedded/lock-folder.ts';
import { assets } from '#server/platform/db/schema/schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { credentialCommands } from './credential-commands.ts';

let cli: CliFixture;
/** An installation for each group of tests. */
const createInstallation = () => {
  const installation = useCliFixture();
  beforeAll(() => (cli = installation));
};
const dataDir = () => cli.env()['DATA_DIR'] ?? '';
const run = (name: string, env: Record<string, string> = {}, lines: string[] = []): Promise<string[]> =>
  cli.run(credentialCommands, [name], { env, lines });

/** Runs work with a service on the same data. */
async function withDeps<T>(work: (deps: Deps) => Promise<T>): Promise<T> {
  const config = readConfig(cli.env());
  const { deps, database } = await composeService(config, createLogger(config));
  try {
    return await work(deps);
  } finally {
    await deps.queue.stop(1_000);
    await database.close();
  }
}

const PICTURE = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'a lighthouse' } };

describe('the certificate', () => {
  createInstallation();

  it('show the certificate and replace it, which is audited', async () => {
    const shown = await run('show', { C2PA_TSA_URL: 'https://tsa.example.com/tsr' });
    expect(shown).toEqual([
      'signer      Emulsion',
      'issuer      Emulsion installation',
      'kind        self-made: proves that files are unchanged',
      expect.stringMatching(/^ends {8}20\d\d-/),
      'time stamp  tsa.example.com',
    ]);
    const rotated = await run('rotate');
    expect(rotated.at(-1)).toBe('time stamp  none');
    expect((await run('show'))[3]).toBe(rotated[3]);
    await expect(run('rotate', { SECRET_KEY: 'another key than before' })).resolves.toHaveLength(5);

    const [certificates, events] = await withDeps(({ db }) =>
      Promise.all([
        db.select().from(signingCertificates).orderBy(signingCertificates.id),
        db.select().from(auditEvents).orderBy(auditEvents.seq),
      ]),
    );
    const rotations = events.filter(({ action }) => action === 'installation.certificate_rotated');
    expect(rotations).toMatchObject(certificates.slice(1).map(({ id }) => ({ actor_type: 'shell', target_id: id })));
    expect(certificates).toHaveLength(3);
  });

  it('reject a rotation of the operator’s certificate, and one that can’t be read', async () => {
    const files = { C2PA_CERT_FILE: join(dataDir(), 'chain.pem'), C2PA_KEY_FILE: join(dataDir(), 'key.pem') };
    await expect(run('rotate', files)).rejects.toThrow(/^C2PA_CERT_FILE can’t be read: /);
  });
});

describe('sidecars', () => {
  createInstallation();

  it('signs results of before beside their files', async () => {
    const bootstrapApiKey = `mgs_org_${'k'.repeat(43)}`;
    const [earlier, lost, signed] = await withDeps(async (deps) => {
      await bootstrap({ ...deps, config: { bootstrapApiKey } });
      const caller = await findCaller(deps, bootstrapApiKey);
      if (!caller) throw new Error('There is no first key.');
      const create = async (): Promise<typeof assets.$inferSelect> => {
        const { body } = await createGeneration(deps, caller, PICTURE, undefined);
        await runGeneration(deps, body.id, { shutdown: new AbortController().signal });
        const [asset] = await deps.db.select().from(assets).where(eq(assets.generation_id, body.id));
        if (!asset) throw new Error('The generation has no output.');
        return asset;
      };
      const made = [await create(), await create(), await create()] as const;
      for (const { id } of made.slice(0, 2))
        await deps.db.delete(assetCredentials).where(eq(assetCredentials.asset_id, id));
      await deps.storage.delete(made[1].storage_key);
      return made;
    });
    const lock = await lockFolder(dataDir());
    await expect(run('sidecars', { DATABASE_URL: '' })).rejects.toThrow(/Stop it first/);
    lock.release();
    const file = join(dataDir(), 'media', 'objects', earlier.storage_key);
    const before = await readFile(file);

    const lines: string[] = [];
    await expect(run('sidecars', {}, lines)).rejects.toThrow('1 could not be signed. The log says why.');
    expect(lines).toEqual(['1 result signed.']);
    expect((await readFile(file)).equals(before)).toBe(true);
    const rows = await withDeps(({ db }) => db.select().from(assetCredentials).orderBy(assetCredentials.asset_id));
    expect(rows).toMatchObject([
      { asset_id: earlier.id, place: 'sidecar', sidecar: expect.any(String) },
      { asset_id: signed.id, place: 'embedded', sidecar: null },
    ]);
    await withDeps(({ db }) => db.update(assets).set({ removed_at: new Date() }).where(eq(assets.id, lost.id)));
    expect(await run('sidecars')).toEqual(['0 results signed.']);
  });
});
