import { beforeAll, expect, it } from 'vitest';
import { Upload } from '#contract/resources/upload.ts';
import {
  describeOnBothDatabases,
  type TestOrganization,
} from '#server/studio/generations/testing/shared-service-fixture.ts';
import { createUploadForm, createPng } from './testing/upload-fixture.ts';

describeOnBothDatabases(
  'the same file',
  () => ({}),
  (shared) => {
    let url: string;
    let imageCount = 0;
    beforeAll(async () => {
      url = await shared.get().listen();
    });

    const newPicture = () => createPng(10, (imageCount += 1), '#753');
    async function upload({ key }: TestOrganization, bytes: Buffer, filename = 'a.png'): Promise<Upload> {
      const headers = { authorization: `Bearer ${key}` };
      const response = await fetch(`${url}/v1/uploads`, {
        method: 'POST',
        body: createUploadForm(bytes, filename),
        headers,
      });
      return Upload.parse(await response.json());
    }
    const remove = (studio: TestOrganization, { id }: Upload) =>
      studio.call('delete_upload', { params: { upload_id: id } });
    const bytesOf = async ({ url: link }: Upload): Promise<Buffer | number> => {
      const { app, deps } = shared.get();
      const response = await app.inject({ url: link.slice(deps.config.publicUrl.length) });
      return response.statusCode === 200 ? response.rawPayload : response.statusCode;
    };
    async function copiesOf(bytes: Buffer): Promise<string[]> {
      const keys: string[] = [];
      for await (const { key, size_bytes } of shared.get().deps.storage.list()) {
        if (size_bytes === bytes.length) keys.push(key);
      }
      return keys;
    }
    const unlike = async (): Promise<Buffer> => {
      const picture = await newPicture();
      const before = await copiesOf(picture);
      return before.length === 0 ? picture : unlike();
    };

    it('creates separate uploads that share bytes until the last is deleted', async () => {
      const studio = await shared.createOrganization('1');
      const bytes = await unlike();
      const first = await upload(studio, bytes, 'cat.png');
      const second = await upload(studio, bytes, 'the same cat.png');
      expect(second.id).not.toBe(first.id);
      expect([first.filename, second.filename]).toEqual(['cat.png', 'the same cat.png']);
      expect(await copiesOf(bytes)).toHaveLength(1);
      await remove(studio, first);
      expect(await bytesOf(first)).toBe(404);
      expect(await bytesOf(second)).toEqual(bytes);
      await remove(studio, second);
      expect(await bytesOf(second)).toBe(404);
      expect(await copiesOf(bytes)).toEqual([]);
    });

    it('is stored once for concurrent uploads', async () => {
      const studio = await shared.createOrganization('1');
      const bytes = await unlike();
      const uploads = await Promise.all(Array.from({ length: 8 }, () => upload(studio, bytes)));
      expect(new Set(uploads.map(({ id }) => id)).size).toBe(8);
      expect(await copiesOf(bytes)).toHaveLength(1);
      await Promise.all(uploads.slice(1).map((one) => remove(studio, one)));
      expect(await bytesOf(uploads[0] as Upload)).toEqual(bytes);
    });

    it('is stored separately for another organization', async () => {
      const [ownOrganization, otherOrganization] = [
        await shared.createOrganization('1'),
        await shared.createOrganization('1'),
      ];
      const bytes = await unlike();
      const [mine, other] = [await upload(ownOrganization, bytes), await upload(otherOrganization, bytes)];
      expect(await copiesOf(bytes)).toHaveLength(2);
      await remove(ownOrganization, mine);
      expect(await bytesOf(other)).toEqual(bytes);
    });

    it('survives deletions while it is uploaded again', async () => {
      const studio = await shared.createOrganization('1');
      const bytes = await unlike();
      let uploadRow = await upload(studio, bytes);
      for (let round = 0; round < 12; round += 1) {
        const [next] = await Promise.all([upload(studio, bytes), remove(studio, uploadRow)]);
        expect(await bytesOf(next)).toEqual(bytes);
        uploadRow = next;
      }
      expect(await copiesOf(bytes)).toHaveLength(1);
    });

    it('is restored if the storage has lost it', async () => {
      const { storage } = shared.get().deps;
      const studio = await shared.createOrganization('1');
      const bytes = await unlike();
      const first = await upload(studio, bytes);
      for (const key of await copiesOf(bytes)) await storage.delete(key);
      expect(await bytesOf(first)).toBe(404);
      const second = await upload(studio, bytes);
      expect([await bytesOf(first), await bytesOf(second)]).toEqual([bytes, bytes]);
      expect(await copiesOf(bytes)).toHaveLength(1);
    });
  },
);
