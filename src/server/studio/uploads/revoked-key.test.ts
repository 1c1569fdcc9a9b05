import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { createTusFixture } from './testing/tus-fixture.ts';
import { FORM_HEAD, FORM_TAIL, statusAndCode, createUploadFixture } from './testing/upload-fixture.ts';

const bench = createUploadFixture({ config: { uploadStallSeconds: 60, uploadTimeoutSeconds: 120 } });
const REVOKED = [401, 'authentication_error'];

async function addKey(): Promise<{ key: string; revoke: () => Promise<unknown> }> {
  const body = { name: 'Intern', kind: 'publishing' } as const;
  const { id, key } = (await bench.service().call('create_api_key', { body })).body;
  return { key, revoke: () => bench.service().call('delete_api_key', { params: { key_id: id } }) };
}

it('rejects an upload whose key was revoked during the transfer and keeps nothing', async () => {
  const { key, revoke } = await addKey();
  const { outgoing, answer } = bench.openForm({ authorization: `Bearer ${key}` });
  outgoing.write(FORM_HEAD);
  const bytes = bench.png();
  outgoing.write(bytes.subarray(0, 40));
  await expect.poll(bench.listReceiving).toHaveLength(1);
  await revoke();
  outgoing.write(bytes.subarray(40));
  outgoing.end(FORM_TAIL);
  expect(statusAndCode(await answer)).toEqual(REVOKED);
  expect(await bench.storedKeys()).toEqual([]);
});

it('rejects a resumable upload whose key was revoked during the last request and keeps nothing', async () => {
  const { key, revoke } = await addKey();
  const tus = createTusFixture(() => ({ url: bench.url(), key, service: bench.service() }));
  const bytes = bench.png();
  const path = await tus.createUpload(bytes.length);
  const outgoing = tus.sendPartially(path, 0, bytes.subarray(0, 40), bytes.length);
  await expect.poll(() => tus.receivedBytes(path)).toBe(40);
  await revoke();
  const responded = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  outgoing.end(bytes.subarray(40));
  const [response] = await responded;
  expect(statusAndCode({ status: response.statusCode ?? 0, body: await text(response), retryAfter: null })).toEqual(
    REVOKED,
  );
  expect(await tus.listUnfinished()).toEqual([]);
  expect(await bench.storedKeys()).toEqual([]);
});
