import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Starts a provider whose jobs never complete, so that creating is measured and not the work. */
export async function startHangingProvider(model: string) {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"1","state":"working"}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const dir = await mkdtemp(path.join(tmpdir(), 'emulsion-bench-'));
  const enginesFile = path.join(dir, 'engines.json');
  const patience = {
    adapter: 'http',
    base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    submit: { path: '/jobs' },
    handle: "{ 'id': answer.id }",
    poll: { path: '/jobs/{{ handle.id }}' },
    poll_after_seconds: 600,
    state: 'answer.state',
  };
  const engines = { engines: { patience }, models: { [model]: { engine: 'patience' } } };
  await writeFile(enginesFile, JSON.stringify(engines));
  return {
    enginesFile,
    async stop() {
      server.close();
      await rm(dir, { recursive: true });
    },
  };
}
