import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { assetCredentials } from '#server/platform/db/schema/credential-schema.ts';
import { assets } from '#server/platform/db/schema/schema.ts';
import { GENERATION_ASSERTION } from '#server/platform/media/credentials/generation-assertion.ts';
import { signBeside } from '#server/platform/media/credentials/sign-file.ts';
import { withTempDir } from '#server/studio/assets/temp-dir.ts';
import { useMediaFixture } from '#server/studio/generations/testing/media-fixture.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import {
  describeOnBothDatabases,
  type TestOrganization,
} from '#server/studio/generations/testing/shared-service-fixture.ts';
import { createLibraryFixture } from '#server/studio/library/testing/library-fixture.ts';

describeOnBothDatabases(
  'content credentials of share pages',
  () => ({ engines: [createScriptedEngine()], config: { publicRateLimitPerMinute: 10_000 } }),
  (service) => {
    const bench = createLibraryFixture(service, useMediaFixture());
    const visit = async (url: string) => {
      const { statusCode, headers, payload } = await service.get().app.inject({ method: 'GET', url });
      return { status: statusCode, headers, text: payload };
    };
    const open = async (studio: TestOrganization, body: Record<string, unknown>) => {
      const created = (await studio.call('create_share', { body })).body;
      const path = (created.url ?? '').slice(service.get().deps.config.publicUrl.length);
      const { text } = await visit(path);
      return { ...created, path, text, link: /href="(\/s\/[^"]+\/credentials)"/.exec(text)?.[1] ?? '' };
    };

    /** Generates a picture and gives it credentials beside it. @returns its id */
    async function generateSigned(studio: TestOrganization): Promise<string> {
      const id = (await bench.generate(studio, 'a secret fox')).output.assets[0]?.id ?? '';
      const { db, config, media: tools, signing, storage, clock } = service.get().deps;
      const [asset] = await db.select().from(assets).where(eq(assets.id, id));
      if (!asset) throw new Error('The asset has no row.');
      const { mime_type, size_bytes, storage_key } = asset;
      const sidecar = await withTempDir(config.mediaDir, async (folder) => {
        const file = join(folder, 'file');
        await storage.copyToFile(storage_key, file);
        const source = 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia';
        const statement = {
          title: 'client-name.png',
          actions: [{ action: 'c2pa.created', digitalSourceType: source, softwareAgent: { name: 'Veo 3.1' } }],
          assertions: {
            [GENERATION_ASSERTION]: {
              task: 'image.create',
              model: 'Veo 3.1',
              provider: 'Google',
              record: 'a',
              prompt: 'a secret fox',
            },
          },
        };
        const signed = { file, mime_type, size_bytes, statement, ingredients: [], thumbnail: null };
        const signer = await signing.signer();
        return signBeside({ tools, signer, trust: await signing.trust(), options: {} }, signed);
      });
      const row = { place: 'sidecar', ai: 'generated', record_salt: 'x', sidecar: sidecar.toString('base64') } as const;
      await db
        .insert(assetCredentials)
        .values({ asset_id: id, ...row, created_at: clock.now() })
        .onConflictDoUpdate({ target: assetCredentials.asset_id, set: row });
      return id;
    }

    it('label what AI made, and show its report as far as the share shows the file', async () => {
      const studio = await service.createOrganization('50');
      const media_id = await generateSigned(studio);
      const closed = await open(studio, { media_id });
      expect(closed.text).toContain('AI-generated');
      const page = await visit(closed.link);
      expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(page.headers).toMatchObject({ 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex, nofollow' });
      for (const words of ['Valid: unchanged since it was signed', 'AI-generated', 'Created by Veo 3.1 (Google)'])
        expect(page.text).toContain(words);
      expect(page.text).not.toMatch(/secret fox|client-name|(?:ast|upl|gen|org|key)_/);
      expect(page.text).not.toMatch(/<script|style=|\son\w+=/);

      const full = await visit((await open(studio, { media_id, allow_downloads: true, show_prompts: true })).link);
      expect(full.text).toContain('client-name.png');
      expect(full.text).toContain('Prompt: a secret fox');
    });

    it('have no label for a file without credentials', async () => {
      const studio = await service.createOrganization('1');
      const { id: media_id } = await bench.upload(studio, 'a.png');
      const { text, link } = await open(studio, { media_id, allow_downloads: true });
      expect([link, text.includes('AI-')]).toEqual(['', false]);
    });

    it('end with the share, and belong to it', async () => {
      const studio = await service.createOrganization('50');
      const media_id = await generateSigned(studio);
      const first = await open(studio, { media_id });
      const second = await open(studio, { media_id });
      const missing = (await visit(`/s/${'A'.repeat(43)}`)).text;
      const foreign = first.link.replace(first.path, second.path);
      for (const link of [foreign, `${first.path}/x/credentials`])
        expect(await visit(link)).toMatchObject({ status: 404, text: missing });
      await studio.call('revoke_share', { params: { share_id: first.id } });
      expect(await visit(first.link)).toMatchObject({ status: 404, text: missing });
    });

    it('say that a changed file was changed', async () => {
      const studio = await service.createOrganization('50');
      const media_id = await generateSigned(studio);
      const { db, storage, config } = service.get().deps;
      const [asset] = await db.select().from(assets).where(eq(assets.id, media_id));
      const key = asset?.storage_key ?? '';
      await withTempDir(config.mediaDir, async (folder) => {
        const file = join(folder, 'file');
        await storage.copyToFile(key, file);
        const changed = `${file}-changed`;
        await writeFile(changed, Buffer.concat([await readFile(file), Buffer.alloc(1)]));
        await storage.put(key, { file: changed });
      });
      expect((await visit((await open(studio, { media_id })).link)).text).toContain('or it was changed since');
    });
  },
);
