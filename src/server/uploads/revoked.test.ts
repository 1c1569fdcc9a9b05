import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { createTusBench } from './testing/tus-bench.ts';
import { FORM_HEAD, FORM_TAIL, codeOf, createUploadBench } from './testing/upload-bench.ts';

const bench = createUploadBench({ config: { upload_stall_seconds: 60, upload_timeout_seconds: 120 } });
const REVOKED = [401, 'authentication_error'];

async function addKey(): Promise<{ key: string; revoke: () => Promise<unknown> }> {
  const body = { name: 'Intern', kind: 'publishing' } as const;
  const { id, key } = (await bench.service().call('create_api_key', { body })).body;
  return { key, revoke: () => bench.service().call('delete_api_key', { params: { key_id: id } }) };
}

it('an upload whose key was revoked while it arrived is refused, and nothing is left', async () => {
  const { key, revoke } = await addKey();
  const { outgoing, answer } = bench.open({ authorization: `Bearer ${key}` });
  outgoing.write(FORM_HEAD);
  const bytes = bench.png();
  outgoing.write(bytes.subarray(0, 40));
  await expect.poll(bench.arriving).toHaveLength(1);
  await revoke();
  outgoing.write(bytes.subarray(40));
  outgoing.end(FORM_TAIL);
  expect(codeOf(await answer)).toEqual(REVOKED);
  expect(await bench.storedKeys()).toEqual([]);
});

it('a resumable upload whose key was revoked while its last bytes arrived is refused, and nothing is left', async () => {
  const { key, revoke } = await addKey();
  const tus = createTusBench(() => ({ url: bench.url(), key, service: bench.service() }));
  const bytes = bench.png();
  const path = await tus.begin(bytes.length);
  const outgoing = tus.hang(path, 0, bytes.subarray(0, 40), bytes.length);
  await expect.poll(() => tus.arrived(path)).toBe(40);
  await revoke();
  const responded = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  outgoing.end(bytes.subarray(40));
  const [response] = await responded;
  expect(codeOf({ status: response.statusCode ?? 0, body: await text(response), retry_after: null })).toEqual(REVOKED);
  expect(await tus.arriving()).toEqual([]);
  expect(await bench.storedKeys()).toEqual([]);
});
