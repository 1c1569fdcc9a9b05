import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createJobProcess } from '#server/platform/media/job-process.ts';
import { type MediaTools, resolveMediaTools } from '#server/platform/media/media-tools.ts';
import { createTestSigner } from '#server/platform/media/testing/sign-fixture.ts';
import { createPng } from '#server/studio/uploads/testing/upload-fixture.ts';
import { CredentialResponse, emptyInspection } from './credential-protocol.ts';
import { inspectFile } from './inspect-file.ts';

const NO_TRUST = { anchors: '', serials: [] };
let folder: string;
let media: MediaTools;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hanging-'));
  media = await resolveMediaTools();
});
afterAll(() => rm(folder, { recursive: true }));

it('stops a check that hangs, and then answers the one of the next stranger', async () => {
  const file = join(folder, 'picture.png');
  await writeFile(file, await createPng(8, 8, '#357'));
  const marker = join(folder, 'marker');
  const answer = JSON.stringify({ inspection: emptyInspection('none', 'It has none.') });
  const script = `const fs = require('node:fs');
    require('node:readline').createInterface({ input: process.stdin }).on('line', () => {
      if (!fs.existsSync(${JSON.stringify(marker)})) { fs.writeFileSync(${JSON.stringify(marker)}, ''); for (;;); }
      console.log(${JSON.stringify(answer)});
    });
    console.log('ready');`;
  const { publicChecks } = media.credentials;
  const hangsOnce = createJobProcess<never, CredentialResponse>({
    command: [process.execPath, '-e', script],
    response: CredentialResponse,
    memoryBytes: null,
    messages: { timeout: 'late', exited: 'gone' },
  });
  const tools = {
    ...media,
    credentials: { ...media.credentials, publicChecks: { ...publicChecks, process: hangsOnce } },
  };
  const check = async (owner: string) => {
    const options = { owner, isRequest: true, isPublic: true };
    return (await inspectFile(tools, { file, mime_type: 'image/png' }, NO_TRUST, options)).report.state;
  };
  expect(await Promise.all([check('one'), check('two')])).toEqual(['too_complex', 'none']);
});

it('reads a history of forty steps with twice as many paths at each', { timeout: 300_000 }, async () => {
  const signer = await createTestSigner();
  const picture = await createPng(8, 8, '#357');
  let signed = await signer.sign(picture, 'image/png');
  for (let step = 1; step < 40; step += 1) signed = await signer.sign(picture, 'image/png', signed, signed);
  const file = join(folder, 'ladder.png');
  await writeFile(file, signed);
  const { report } = await inspectFile(media, { file, mime_type: 'image/png' }, NO_TRUST);
  expect(report).toMatchObject({ state: 'valid', ai: 'generated' });
  expect(report.steps).toHaveLength(40);
});
