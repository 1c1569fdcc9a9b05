import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createTempDirectory } from './clips.ts';

export interface FakeImageProvider {
  /** `late`: a job runs until its cancel, which then comes too late. */
  result: 'a picture' | 'nothing' | 'late';
  jobsCreated: number;
  /** Environment of a service whose model `imgmodel-b-2` runs here. */
  environment: Record<string, string>;
  /** An image of 64 × 48 pixels. */
  picture: string;
  close(): Promise<void>;
}

const KEY = 'painter-key-for-tests';
const COST_CENTS = 1.9;

const engines = (base_url: string) => ({
  engines: {
    painter: {
      adapter: 'http',
      base_url,
      api_key_env: 'PAINTER_KEY',
      submit: { path: '/jobs', body: "{ 'prompt': input.prompt }" },
      handle: "{ 'id': answer.job_id }",
      poll: { path: '/jobs/{{ handle.id }}' },
      cancel: { path: '/jobs/{{ handle.id }}/cancel' },
      poll_after_seconds: 0.1,
      state: 'answer.status',
      states: { busy: 'working', ok: 'done' },
      outputs: 'answer.images',
      cost_usd: 'answer.cents / 100',
    },
  },
  models: { 'imgmodel-b-2': { engine: 'painter' } },
  off: { tasks: ['video.lipsync'], models: ['imgmodel-b-pro'] },
});

export async function startFakeImageProvider(): Promise<FakeImageProvider> {
  const folder = createTempDirectory();
  const picture = path.join(folder, 'painted.png');
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', 'testsrc=size=64x48', '-frames:v', '1', picture]);
  const canceled = new Set<string>();
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    for await (const _ of request);
    const send = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.headers.authorization !== `Bearer ${KEY}`) return send(401, { message: 'No such key.' });
    if (request.method === 'POST' && request.url === '/jobs')
      return send(200, { job_id: `job-${(painter.jobsCreated += 1)}` });
    const [, job = '', part] = /^\/jobs\/(job-\d+)(\/cancel)?$/.exec(request.url ?? '') ?? [];
    if (!job) return send(404, { message: 'No such job.' });
    if (part) {
      canceled.add(job);
      return send(409, { message: 'The job is complete.' });
    }
    if (painter.result === 'late' && !canceled.has(job)) return send(200, { status: 'busy' });
    const images = painter.result === 'nothing' ? [] : [{ base64: readFileSync(picture).toString('base64') }];
    return send(200, { status: 'ok', images, cents: COST_CENTS });
  };
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const file = path.join(folder, 'engines.json');
  writeFileSync(file, JSON.stringify(engines(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)));
  const painter: FakeImageProvider = {
    result: 'a picture',
    jobsCreated: 0,
    environment: { ENGINES_FILE: file, PAINTER_KEY: KEY },
    picture,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return painter;
}
