import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { deleteOrphanedFiles } from '#server/studio/assets/orphans.ts';
import { describeOnBothDatabases } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { useMediaFixture } from '#server/studio/generations/testing/media-fixture.ts';
import { createLibraryFixture } from '#server/studio/library/testing/library-fixture.ts';

const createPicture = async (format: 'png' | 'jpeg' | 'webp' | 'gif', width = 1_200) => {
  const picture = sharp({ create: { width, height: 300, channels: 4, background: '#c47f17' } });
  return (
    await picture
      .withExif({ IFD0: { Copyright: 'a secret' } })
      .toFormat(format)
      .toBuffer()
  ).toString('base64');
};

describeOnBothDatabases(
  'the logo of an organization',
  () => ({ config: { publicRateLimitPerMinute: 10_000 } }),
  (service) => {
    const bench = createLibraryFixture(service, useMediaFixture());
    const filesOf = async (organization_id: string) => {
      const keys: string[] = [];
      for await (const { key } of service.get().deps.storage.list())
        if (key.startsWith(`logos/${organization_id}`)) keys.push(key);
      return keys;
    };

    it('is a WebP of its own, on pages that name the organization', async () => {
      const studio = await service.createOrganization('1');
      const { deps, app } = service.get();
      const { id: media_id } = await bench.upload(studio, 'a.png');
      const open = async (show_organization: boolean) => {
        const { url } = (await studio.call('create_share', { body: { media_id, show_organization } })).body;
        const path = (url ?? '').slice(deps.config.publicUrl.length);
        return { path, page: (await app.inject({ url: path })).body };
      };
      expect((await studio.call('get_logo')).body.image).toBeNull();
      expect((await open(true)).page).not.toContain('class="logo"');
      for (const format of ['jpeg', 'webp', 'png'] as const)
        await studio.call('set_logo', { body: { image: await createPicture(format) } });
      const [key = '', ...others] = await filesOf(studio.organization_id);
      expect([key, others]).toEqual([expect.stringMatching(/\.webp$/), []]);
      await deleteOrphanedFiles(deps, new Date(Date.now() + 60_000));
      expect(await filesOf(studio.organization_id)).toEqual([key]);
      const { path, page } = await open(true);
      expect(page).toContain(`<img class="logo" src="${path}/logo" alt="">`);
      const logo = await app.inject({ url: `${path}/logo` });
      const { format, width, exif } = await sharp(logo.rawPayload).metadata();
      expect([logo.headers['content-type'], format, width, exif]).toEqual(['image/webp', 'webp', 512, undefined]);
      expect(logo.headers['content-security-policy']).toBe("sandbox; default-src 'none'");
      expect((await studio.call('get_logo')).body.image).toBe(
        `data:image/webp;base64,${logo.rawPayload.toString('base64')}`,
      );
      const silent = await open(false);
      expect(silent.page).not.toContain('logo"');
      expect((await app.inject({ url: `${silent.path}/logo` })).statusCode).toBe(404);
      await studio.call('set_logo', { body: { image: null } });
      expect([await filesOf(studio.organization_id), (await app.inject({ url: `${path}/logo` })).statusCode]).toEqual([
        [],
        404,
      ]);
    });

    it('takes no other files, and only from administrators', async () => {
      const studio = await service.createOrganization('1');
      const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>').toString('base64');
      const clip = (await readFile(new URL(import.meta.url))).toString('base64');
      for (const image of [svg, clip, await createPicture('gif'), (await createPicture('png')).slice(0, 200)])
        expect((await studio.callError('set_logo', { body: { image } })).status).toBe(400);
      for (const image of ['', 'no base64!', 'A'.repeat(700_000)])
        expect((await studio.callError('set_logo', { body: { image } })).status).toBe(422);
      expect(await filesOf(studio.organization_id)).toEqual([]);
      const key = (await studio.call('create_api_key', { body: { name: 'x', kind: 'member' } })).body.key;
      expect((await service.get().callError('set_logo', { key, body: { image: null } })).status).toBe(401);
    });
  },
);
