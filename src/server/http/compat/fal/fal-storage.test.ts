import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { uploadFolder } from '#server/studio/uploads/upload-folder.ts';
import { connectFal, falFixture } from './testing/fal-fixture.ts';
import { silentWav } from './testing/wav.ts';

const LIMIT = 1_000_000;
const fal = falFixture({ config: { maxUploadBytes: LIMIT, maxOpenUploads: 2, maxOpenUploadBytes: LIMIT } });

/** Overstates its size two thousandfold; its slices are scaled alike. */
class LargeBlob extends Blob {
  constructor(bytes: Uint8Array<ArrayBuffer>) {
    super([bytes], { type: 'audio/wav' });
    const { size } = this;
    const slice = (start: number, end: number) => super.slice(Math.floor(start / 2_000), Math.floor(end / 2_000));
    Object.defineProperties(this, { size: { value: size * 2_000 }, slice: { value: slice } });
  }
}

interface Addresses {
  file_url: string;
  upload_url: string;
}
const initiate = async (action = 'initiate', headers: Record<string, string> = {}) => {
  const body = { content_type: 'audio/wav', file_name: 'silence.wav' };
  const path = `/storage/upload/${action}?storage_type=fal-cdn-v3`;
  const response = await fal.fetch('POST', path, body, headers);
  expect(response.status).toBe(200);
  return (await response.json()) as Addresses;
};
const put = (url: string, bytes: Uint8Array<ArrayBuffer>) => fetch(url, { method: 'PUT', body: bytes });
const withPath = (url: string, path: string): string => {
  const parsed = new URL(url);
  return `${parsed.origin}${parsed.pathname}/${path}${parsed.search}`;
};
const detailOf = async (response: Response) => ((await response.json()) as { detail: unknown }).detail;
const uploadOf = async (url: string) => {
  const upload_id = new URL(url).pathname.split('/').at(-1) ?? '';
  return (await fal.studio.call('get_upload', { params: { upload_id } })).body;
};

describe('the client of fal', () => {
  it('uploads a file', async () => {
    const bytes = silentWav(88_200);
    const url = await fal.client.storage.upload(new File([bytes], 'silence.wav', { type: 'audio/wav' }));
    expect(new Uint8Array(await (await fetch(url)).arrayBuffer())).toEqual(bytes);
    expect(await uploadOf(url)).toMatchObject({ filename: 'silence.wav', type: 'audio', duration_seconds: 1 });
  });

  it('uploads a file of more than 90 MB in parts', async () => {
    const bytes = silentWav(88_200);
    const url = await fal.client.storage.upload(new LargeBlob(bytes));
    expect(new Uint8Array(await (await fetch(url)).arrayBuffer())).toEqual(bytes);
    expect(await uploadOf(url)).toMatchObject({ size_bytes: bytes.length, type: 'audio' });
    expect(await readdir(uploadFolder(fal.service.get().deps.config))).toEqual([]);
  });

  it('hears about a file that is no media, and of a lifecycle', async () => {
    const text = new Blob(['no media'], { type: 'image/png' });
    await expect(fal.client.storage.upload(text)).rejects.toMatchObject({ status: 400 });
    const lifecycle = { expiresIn: '1h' } as const;
    await expect(fal.client.storage.upload(text, { lifecycle })).rejects.toMatchObject({ status: 422 });
  });

  it('needs the permission to upload', async () => {
    const scopes = { tasks: null, models: null, read_only: true };
    const { body } = await fal.studio.call('create_api_key', {
      body: { name: 'Reader', kind: 'organization', scopes },
    });
    const upload = connectFal(fal.url, body.key).storage.upload(new Blob(['x']));
    await expect(upload).rejects.toMatchObject({ status: 401 });
  });
});

describe('an address', () => {
  it('receives one file', async () => {
    const { upload_url, file_url } = await initiate();
    expect((await fetch(file_url)).status).toBe(404);
    expect((await put(upload_url, silentWav(8_820))).status).toBe(200);
    expect((await fetch(file_url)).status).toBe(200);
    expect((await put(upload_url, silentWav(17_640))).status).toBe(404);
    expect(await uploadOf(file_url)).toMatchObject({ size_bytes: 44 + 8_820 });
  });

  it('receives one of two files that arrive at the same time', async () => {
    const { upload_url, file_url } = await initiate();
    const sent = await Promise.all([8_822, 8_824].map((bytes) => put(upload_url, silentWav(bytes))));
    const statuses = sent.map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 404]);
    const { size_bytes } = await uploadOf(file_url);
    expect(size_bytes).toBe(44 + (statuses[0] === 200 ? 8_822 : 8_824));
    expect((await (await fetch(file_url)).arrayBuffer()).byteLength).toBe(size_bytes);
  });

  it('is valid for its file, kind, name and key alone', async () => {
    const { upload_url } = await initiate();
    const other = await initiate();
    const change = (name: string, value: string) => {
      const url = new URL(upload_url);
      url.searchParams.set(name, value);
      return url.toString();
    };
    for (const url of [
      change('name', 'other.wav'),
      change('expires', '99999999999999'),
      change('key', 'key_00000000000000000000000000'),
      change('sig', new URL(other.upload_url).searchParams.get('sig') ?? ''),
      withPath(upload_url.replace('/files/', '/multipart/'), '1'),
    ])
      expect((await put(url, silentWav(8_820))).status).toBe(404);
  });

  it('expires', async () => {
    const { clock } = fal.service.get().deps;
    const { upload_url } = await initiate();
    clock.advance(3_600_001);
    expect((await put(upload_url, silentWav(8_820))).status).toBe(404);
  });

  it('ends with its key', async () => {
    const { body } = await fal.studio.call('create_api_key', { body: { name: 'Short', kind: 'organization' } });
    const { upload_url } = await initiate('initiate', { authorization: `Key ${body.key}` });
    await fal.studio.call('delete_api_key', { params: { key_id: body.id } });
    expect((await put(upload_url, silentWav(8_820))).status).toBe(401);
  });

  it('takes no more than the limit', async () => {
    const { upload_url } = await initiate();
    const tooLarge = await put(upload_url, new Uint8Array(LIMIT + 1));
    expect(tooLarge.status).toBe(413);
    expect(await detailOf(tooLarge)).toContain('larger than');
  });
});

describe('parts', () => {
  const bytes = silentWav(88_200);
  const complete = (url: string, parts: unknown) =>
    fetch(withPath(url, 'complete'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ parts }),
    });
  const sendPart = async (url: string, number: number, part: Uint8Array<ArrayBuffer>) => {
    const response = await put(withPath(url, String(number)), part);
    expect(response.status).toBe(200);
    return (await response.json()) as { partNumber: number; etag: string };
  };

  it('arrive in any order, and again, until they are joined once', async () => {
    const { upload_url, file_url } = await initiate('initiate-multipart');
    const second = await sendPart(upload_url, 2, bytes.slice(50_000));
    const wrong = await sendPart(upload_url, 1, bytes.slice(0, 10));
    const first = await sendPart(upload_url, 1, bytes.slice(0, 50_000));
    expect(first.partNumber).toBe(1);
    for (const parts of [[second, first], [wrong, second], [first, { ...second, partNumber: 3 }], [], 'x'])
      expect((await complete(upload_url, parts)).status).toBeGreaterThanOrEqual(400);
    expect((await complete(upload_url, [first, second])).status).toBe(200);
    expect(new Uint8Array(await (await fetch(file_url)).arrayBuffer())).toEqual(bytes);
    expect((await complete(upload_url, [first, second])).status).toBe(404);
    expect((await put(withPath(upload_url, '3'), bytes)).status).toBe(404);
  });

  it('are bounded in number, size and unfinished uploads', async () => {
    const [one, two, three] = [
      await initiate('initiate-multipart'),
      await initiate('initiate-multipart'),
      await initiate('initiate-multipart'),
    ];
    for (const number of ['0', '2001', '1.5', 'x'])
      expect((await put(withPath(one.upload_url, number), bytes)).status).toBe(422);
    await sendPart(one.upload_url, 1, new Uint8Array(600_000));
    expect((await put(withPath(one.upload_url, '2'), new Uint8Array(600_000))).status).toBe(413);
    expect((await put(withPath(two.upload_url, '1'), new Uint8Array(600_000))).status).toBe(413);
    await sendPart(two.upload_url, 1, bytes);
    expect((await put(withPath(three.upload_url, '1'), bytes)).status).toBe(429);
  });
});
