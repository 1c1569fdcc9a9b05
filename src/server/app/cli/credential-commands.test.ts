import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { pino } from 'pino';
import { unpackPreparedDatabase } from '#server/app/testing/prepared-database.ts';
import { auditEvents } from '#server/platform/db/audit-schema.ts';
import { signingCertificates } from '#server/platform/db/credential-schema.ts';
import { openPglite } from '#server/platform/db/open-database.ts';
import { credentialCommands } from './credential-commands.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'emulsion-cli-credentials-'));
  await unpackPreparedDatabase(join(folder, 'database'));
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

async function run(name: string, env: Record<string, string> = {}): Promise<string[]> {
  const lines: string[] = [];
  for (const [key, value] of Object.entries({ LOG_LEVEL: 'silent', DATA_DIR: folder, ...env })) vi.stubEnv(key, value);
  try {
    await credentialCommands((line) => lines.push(line)).parseAsync([name], { from: 'user' });
    return lines;
  } finally {
    vi.unstubAllEnvs();
  }
}

it('show the certificate and replace it, which is audited', { timeout: 120_000 }, async () => {
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
  expect(rotated[3]).not.toBe(shown[3]);
  expect((await run('show'))[3]).toBe(rotated[3]);
  await expect(run('rotate', { SECRET_KEY: 'another key than before' })).resolves.toHaveLength(5);

  const database = await openPglite({ folder: join(folder, 'database') }, pino({ level: 'silent' }));
  const certificates = await database.db.select().from(signingCertificates).orderBy(signingCertificates.id);
  const events = await database.db.select().from(auditEvents).orderBy(auditEvents.seq);
  await database.close();
  const rotations = events.filter(({ action }) => action === 'installation.certificate_rotated');
  expect(rotations).toMatchObject(certificates.slice(1).map(({ id }) => ({ actor_type: 'shell', target_id: id })));
  expect(certificates).toHaveLength(3);
});

it('reject a rotation of the operator’s certificate, and one that can’t be read', { timeout: 60_000 }, async () => {
  const files = { C2PA_CERT_FILE: join(folder, 'chain.pem'), C2PA_KEY_FILE: join(folder, 'key.pem') };
  await expect(run('rotate', files)).rejects.toThrow(/^C2PA_CERT_FILE can’t be read: /);
});
