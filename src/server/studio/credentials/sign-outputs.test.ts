import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { assetCredentials } from '#server/platform/db/schema/credential-schema.ts';
import { createSignedResults } from './testing/signed-results-fixture.ts';

const results = createSignedResults();
const { make, read } = results;

const VALID = { state: 'valid', problem: null };

describe('results', () => {
  it('of the preview are signed as made by an algorithm', async () => {
    const picture = await make({ task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'a red fox' } });
    const credentials = await read(picture);
    expect(credentials).toMatchObject({ place: 'embedded', sidecar_url: null, record_matches: true });
    const { report } = credentials;
    expect(report).toMatchObject({ ...VALID, ai: null });
    expect(report.steps).toMatchObject([
      {
        is_own: true,
        title: `${picture.id}.png`,
        task: 'image.create',
        model: 'imgmodel-a-2',
        provider: null,
        prompt: null,
        actions: [{ action: 'c2pa.created', software: 'Emulsion preview', source_type: 'algorithmicMedia' }],
        ingredients: [],
      },
    ]);
    expect(report.steps[0]?.thumbnail).toMatch(/^data:image\/webp;base64,/);
    expect(JSON.stringify(report)).not.toMatch(/red fox|usd|Member|key_/);
  });

  it('state the prompt where the organization wants that', async () => {
    await results.service.call('update_settings', { body: { prompt_in_credentials: true } });
    const picture = await make({ task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'a blue fox' } });
    await results.service.call('update_settings', { body: { prompt_in_credentials: false } });
    expect((await read(picture)).report.steps[0]?.prompt).toBe('a blue fox');
  });

  it('of tools keep the history of three steps, and claim no AI', async () => {
    const { url } = await results.upload(results.media.clip());
    const trimmed = await make({ task: 'video.trim', input: { video: { url }, start_seconds: 0, end_seconds: 3 } });
    const joined = await make({ task: 'video.concat', input: { videos: [{ url: trimmed.url }, { url }] } });
    const frame = await make({
      task: 'video.extract_frame',
      input: { video: { url: joined.url }, timestamp_seconds: 1 },
    });
    const { report, record_matches } = await read(frame);
    expect([report.state, report.ai, record_matches]).toEqual(['valid', null, true]);
    expect(report.steps.map(({ title, is_own }) => [title?.split('.')[0], is_own])).toEqual([
      [frame.id, true],
      [joined.id, true],
      [trimmed.id, true],
    ]);
    expect(report.steps.map(({ actions }) => actions.map(({ action }) => action))).toEqual([
      ['c2pa.opened', 'c2pa.converted'],
      ['c2pa.created', 'c2pa.placed', 'c2pa.placed'],
      ['c2pa.opened', 'c2pa.trimmed'],
    ]);
    expect(
      report.steps.map(({ ingredients }) => ingredients.map(({ step, relationship }) => [relationship, step])),
    ).toEqual([
      [['parent', 1]],
      [
        ['part', 2],
        ['part', null],
      ],
      [['parent', null]],
    ]);
  });

  it.each([
    ['video.trim', { start_seconds: 0, end_seconds: 2 }, 'c2pa.trimmed'],
    ['video.extract_frame', { timestamp_seconds: 1, format: 'jpg' }, 'c2pa.converted'],
    ['video.extract_audio', { format: 'mp3' }, 'c2pa.converted'],
  ])('of %s %o keep the history of their source', results.expectHistory);

  it('that were changed after they were signed are found', async () => {
    const picture = await make({ task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'a hill' } });
    const file = join(results.service.deps.config.mediaDir, 'media', 'objects', 'outputs', `${picture.id}.png`);
    const bytes = await readFile(file);
    bytes[bytes.length - 200] = (bytes[bytes.length - 200] ?? 0) ^ 1;
    await writeFile(file, bytes);
    expect((await read(picture)).report).toMatchObject({ state: 'changed' });
  });

  it('are stored when they can’t be signed', async () => {
    const { deps } = results.service;
    const signer = () => Promise.reject(new Error('The key is lost.'));
    await results.withWorker({ ...deps, signing: { ...deps.signing, signer } }, async () => {
      const picture = await make({ task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'a lake' } });
      const [row] = await deps.db.select().from(assetCredentials).where(eq(assetCredentials.asset_id, picture.id));
      expect(row).toMatchObject({ place: 'none', sidecar: null });
      expect((await read(picture)).report).toMatchObject({ state: 'none', steps: [] });
    });
  });
});
