import { createFetcher } from '#server/platform/net/fetcher.ts';

/**
 * The floor for deliveries: the same HTTP client in a loop, without any records. Arguments: URL, number of posts,
 * concurrency. Trusts the certificates of `NODE_EXTRA_CA_CERTS`.
 */
const [url = '', count = '0', atOnce = '1'] = process.argv.slice(2);
const { post } = createFetcher({ allowPrivateNetworks: ['127.0.0.0/8', '::1/128'] });
const options = { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ a: 'x'.repeat(1_000) }) };

async function loop(times: number): Promise<void> {
  for (let done = 0; done < times; done += 1) await post(url, { ...options, timeoutMs: 10_000 });
}

const each = Math.ceil(Number(count) / Number(atOnce));
// Warms up.
await loop(20);
const began = performance.now();
await Promise.all(Array.from({ length: Number(atOnce) }, () => loop(each)));
process.stdout.write(String((each * Number(atOnce)) / ((performance.now() - began) / 1000)));
