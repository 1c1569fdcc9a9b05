import { eq } from 'drizzle-orm';
import { afterEach, expect, it } from 'vitest';
import { assetCredentials } from '#server/platform/db/schema/credential-schema.ts';
import { assets } from '#server/platform/db/schema/schema.ts';
import {
  describeOnBothDatabases,
  type TestOrganization,
} from '#server/studio/generations/testing/shared-service-fixture.ts';
import { useMediaFixture } from '#server/studio/generations/testing/media-fixture.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { createLibraryFixture } from '#server/studio/library/testing/library-fixture.ts';
import { addSidecar } from '#server/studio/library/testing/sidecar-fixture.ts';
import { createMediaLink, createSidecarLink } from './media-links.ts';
import { deleteOrphanedFiles } from './orphans.ts';

const MANIFEST = Buffer.from('\0\0\0\x18jumb manifest', 'latin1');

describeOnBothDatabases(
  'sidecars',
  () => ({ engines: [createScriptedEngine()] }),
  (service) => {
    const bench = createLibraryFixture(service, useMediaFixture());
    const visit = (url: string, options: { method?: 'GET' | 'HEAD'; headers?: Record<string, string> } = {}) => {
      const { app, deps } = service.get();
      return app.inject({ url: url.replace(deps.config.publicUrl, ''), ...options });
    };
    const generate = async (studio: TestOrganization): Promise<string> =>
      (await bench.generate(studio, 'a lighthouse')).output.assets[0]?.id ?? '';
    async function createAsset(): Promise<{ studio: TestOrganization; id: string }> {
      const studio = await service.createOrganization('5');
      const id = await generate(studio);
      await addSidecar(service.get().deps, id, MANIFEST);
      return { studio, id };
    }
    const linkIn = (headers: Record<string, unknown>): string =>
      /^<(.+)>; rel="c2pa-manifest"$/.exec(String(headers['link']))?.[1] ?? '';
    const storedSidecar = async (id: string) => {
      const [row] = await service
        .get()
        .deps.db.select()
        .from(assetCredentials)
        .where(eq(assetCredentials.asset_id, id));
      return row?.sidecar ?? null;
    };
    afterEach(() => {
      delete service.get().deps.storage.link;
    });

    it('are linked from every response with bytes of their file, and from no other', async () => {
      const { studio, id } = await createAsset();
      const { deps } = service.get();
      const { url } = createMediaLink(deps, id);
      const whole = await visit(url);
      const sidecar = linkIn(whole.headers);
      expect(sidecar).toBe(createSidecarLink(deps, id).url);
      for (const options of [{ method: 'HEAD' }, { headers: { range: 'bytes=0-1' } }] as const)
        expect(linkIn((await visit(url, options)).headers)).toBe(sidecar);
      const unchanged = await visit(url, { headers: { 'if-none-match': String(whole.headers.etag) } });
      expect([unchanged.statusCode, unchanged.headers['link']]).toEqual([304, undefined]);
      const others = [(await bench.upload(studio, 'a.png')).id, await generate(studio)];
      for (const other of others)
        expect((await visit(createMediaLink(deps, other).url)).headers['link']).toBeUndefined();

      const served = await visit(sidecar);
      expect([served.statusCode, served.rawPayload.equals(MANIFEST)]).toEqual([200, true]);
      expect(served.headers).toMatchObject({
        'content-type': 'application/c2pa',
        'content-length': String(MANIFEST.length),
        'content-disposition': `attachment; filename="${id}.c2pa"`,
        'content-security-policy': "sandbox; default-src 'none'",
        'cross-origin-resource-policy': 'cross-origin',
      });
      const head = await visit(sidecar, { method: 'HEAD' });
      expect([head.statusCode, head.payload, head.headers['content-length']]).toEqual([
        200,
        '',
        String(MANIFEST.length),
      ]);
    });

    it('are linked from the redirect to the object store', async () => {
      const { id } = await createAsset();
      const { deps } = service.get();
      await deps.db.update(assets).set({ size_bytes: 1_000_000 }).where(eq(assets.id, id));
      deps.storage.link = async () => 'https://store.example/x';
      const redirect = await visit(createMediaLink(deps, id).url);
      expect([redirect.statusCode, linkIn(redirect.headers)]).toEqual([302, createSidecarLink(deps, id).url]);
    });

    it('have links of their own, which end with the link of the file', async () => {
      const { studio, id } = await createAsset();
      const { deps } = service.get();
      const [media, sidecar] = [createMediaLink(deps, id).url, createSidecarLink(deps, id).url];
      const upload = (await bench.upload(studio, 'a.png')).id;
      const bad = [
        sidecar.replace('.c2pa', ''),
        media.replace(id, `${id}.c2pa`),
        sidecar.replace(/&sig=.*/, ''),
        sidecar.replace(/expires=\d/, 'expires=9'),
        `${sidecar}&trash=1`,
        createSidecarLink(deps, upload).url,
        createSidecarLink(deps, await generate(studio)).url,
      ];
      const unknown = await visit(media.replace(/sig=.{4}/, 'sig=AAAA'));
      for (const url of bad) {
        const response = await visit(url);
        expect([url, response.statusCode, response.json().error.message]).toEqual([
          url,
          404,
          unknown.json().error.message,
        ]);
      }
      deps.clock.advance(23 * 3_600_000);
      const late = linkIn((await visit(media)).headers);
      expect([late, (await visit(late)).statusCode]).toEqual([sidecar, 200]);
      deps.clock.advance(2 * 3_600_000);
      expect((await visit(sidecar)).statusCode).toBe(404);
    });

    it('stay with their file in the trash and are deleted with it', async () => {
      const { studio, id } = await createAsset();
      const { deps } = service.get();
      const open = createSidecarLink(deps, id).url;
      await studio.call('delete_media', { body: { ids: [id], to_trash: true } });
      expect((await visit(open)).statusCode).toBe(404);
      const trashed = await visit(createMediaLink(deps, id, { in_trash: true }).url);
      expect((await visit(linkIn(trashed.headers))).rawPayload.equals(MANIFEST)).toBe(true);
      expect(await storedSidecar(id)).not.toBeNull();
      await studio.call('delete_media', { body: { ids: [id] } });
      expect(await storedSidecar(id)).toBeNull();
    });

    it('are deleted by the sweeper with a file that no row names', async () => {
      const { id } = await createAsset();
      const { deps } = service.get();
      await deps.db.update(assets).set({ removed_at: deps.clock.now() }).where(eq(assets.id, id));
      await deleteOrphanedFiles(deps, new Date(Date.now() + 60_000));
      expect(await storedSidecar(id)).toBeNull();
    });

    it('are on share pages with downloads, by links that end with the share', async () => {
      const { studio, id } = await createAsset();
      const share = async (allow_downloads: boolean) => {
        const { body } = await studio.call('create_share', { body: { media_id: id, title: 'Fox', allow_downloads } });
        const page = await visit(body.url ?? '');
        return { share_id: body.id, item: /(\/s\/[^"/]+\/[^"/?]+)/.exec(page.payload)?.[1] ?? '' };
      };
      const { share_id, item } = await share(true);
      const file = await visit(`${item}?download=1`);
      const sidecar = linkIn(file.headers);
      expect([file.statusCode, sidecar]).toEqual([200, `${item}?as=c2pa`]);
      expect(JSON.stringify(file.headers)).not.toContain(id);
      const served = await visit(sidecar);
      expect([served.rawPayload.equals(MANIFEST), served.headers['content-type']]).toEqual([true, 'application/c2pa']);
      await studio.call('revoke_share', { params: { share_id } });
      expect((await visit(sidecar)).statusCode).toBe(404);
      // The manifest holds the prompt where the organization includes it.
      const { item: closed } = await share(false);
      expect((await visit(`${closed}?as=c2pa`)).statusCode).toBe(404);
    });
  },
);
