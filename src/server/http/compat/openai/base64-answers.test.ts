import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { expect, it, vi } from 'vitest';
import { assets } from '#server/platform/db/schema/schema.ts';
import { OPENAI_PATH, openAiFixture } from './testing/openai-fixture.ts';

const fixture = openAiFixture();
const { openStudio } = fixture;

/** More than the kernel buffers for a client that does not read. */
const FILE_BYTES = 12_000_001;
const PER_KEY = 4;

/** Orders an image, and replaces its file. @returns sends the same request again, which is answered with that file */
async function openAnswer(content: Buffer) {
  const { studio } = await openStudio();
  const send = (retries: string, signal?: AbortSignal) =>
    fetch(`${fixture.url}${OPENAI_PATH}/images/generations`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${studio.key}`,
        'content-type': 'application/json',
        'x-stainless-retry-count': retries,
      },
      body: JSON.stringify({ model: 'imgmodel-a-2', prompt: 'a pier', response_format: 'b64_json' }),
      ...(signal && { signal }),
    });
  await (await send('0')).text();
  const { db, storage } = fixture.service.get().deps;
  const [asset] = await db.select().from(assets).where(eq(assets.organization_id, studio.organization_id));
  if (!asset) throw new Error('The order has no image.');
  await storage.put(
    asset.storage_key,
    (async function* () {
      yield content;
    })(),
  );
  return { send: (signal?: AbortSignal) => send('1', signal), storage, key: asset.storage_key };
}

it('has the bytes of a file that is read in many parts', async () => {
  const content = randomBytes(1_000_001);
  const { send } = await openAnswer(content);
  const response = await send();
  expect(response.headers.get('content-encoding')).toBeNull();
  const { data } = (await response.json()) as { data: { b64_json: string }[] };
  expect(Buffer.from(data[0]?.b64_json ?? '', 'base64').equals(content)).toBe(true);
});

it('is an error when the file is gone', async () => {
  const { send, storage, key } = await openAnswer(Buffer.from('x'));
  await storage.delete(key);
  expect((await send()).status).toBe(503);
});

it('waits in turn when its key has several that are not read, and others are answered', async () => {
  const content = randomBytes(FILE_BYTES);
  const [slow, other] = [await openAnswer(content), await openAnswer(content)];
  const read = vi.spyOn(slow.storage, 'read');
  const countOf = (key: string) => read.mock.calls.filter(([each]) => each === key).length;
  const leaving = Array.from({ length: PER_KEY + 2 }, () => new AbortController());
  const answers = leaving.map(({ signal }) => slow.send(signal));
  for (const answer of answers) answer.catch(() => undefined);
  await expect.poll(() => countOf(slow.key)).toBe(PER_KEY);
  const { data } = (await (await other.send()).json()) as { data: { b64_json: string }[] };
  expect(Buffer.byteLength(data[0]?.b64_json ?? '', 'base64')).toBe(FILE_BYTES);
  expect(countOf(slow.key)).toBe(PER_KEY);
  const begun = await Promise.any(answers);
  await begun.body?.cancel();
  await expect.poll(() => countOf(slow.key)).toBe(PER_KEY + 1);
  for (const each of leaving) each.abort();
});
