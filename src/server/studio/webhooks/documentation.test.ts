import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { signWebhook } from '#contract/api/signature.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { freePort } from '#server/app/testing/free-port.ts';

const text = readFileSync(join(import.meta.dirname, '../../../../docs/webhooks.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'emulsion-receivers-'));
afterAll(() => rmSync(folder, { recursive: true }));

function program(heading: string, extension: string): string {
  const section = text.split(/^### /m).find((one) => one.startsWith(`${heading}\n`)) ?? '';
  const [, code = ''] = /```\w+\n(.*?)```/s.exec(section) ?? [];
  const file = join(folder, `receiver.${extension}`);
  writeFileSync(file, code);
  return file;
}

/** The name of a skipped test names the missing interpreter. */
const has = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0;

const secret = 'whsec_of-the-documentation';
const body = '{"id":"evt_1","type":"generation.failed","data":{"object":{"id":"gen_1","input":{"prompt":"Zoë"}}}}';

const verification = '{"id":"evt_2","type":"ledger.verified","data":{"object":{"object":"verification","ok":true}}}';

let running: { child: ChildProcess; url: string; printed: () => string } | undefined;
async function start(command: string, ...args: string[]): Promise<void> {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret };
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on('data', () => undefined);
  running = { child, url: `http://127.0.0.1:${port}/`, printed: () => printed };
  await waitFor('the receiver to listen', () => send({}).catch(() => false));
}
afterEach(async () => {
  const { child } = running ?? {};
  running = undefined;
  if (!child || child.exitCode !== null) return;
  child.kill();
  await once(child, 'exit');
});

/** @returns the status */
async function send(headers: Record<string, string>, sent = body): Promise<number> {
  const response = await fetch(running?.url ?? '', { method: 'POST', headers, body: sent });
  return response.status;
}

const signed = async (secrets: string[], age_seconds = 0, sent = body) => ({
  'service-signature': await signWebhook({ secrets, body: sent, at: new Date(Date.now() - age_seconds * 1000) }),
});

const receivers: { name: string; extension: string; command: string[]; probe: [string, ...string[]] }[] = [
  { name: 'TypeScript', extension: 'ts', command: [process.execPath], probe: [process.execPath, '--version'] },
  { name: 'Python', extension: 'py', command: ['python3'], probe: ['python3', '--version'] },
];

describe.each(receivers)('the receiver in $name', ({ name, extension, command, probe }) => {
  const there = has(...probe);
  const why = there ? '' : ` (skipped: this machine has no ${probe[0]})`;

  it.skipIf(!there)(
    `takes what is genuine, once, and nothing else${why}`,
    async () => {
      const [run = '', ...args] = command;
      await start(run, ...args, program(name, extension));
      expect(await send(await signed([secret]))).toBe(204);
      expect(await send(await signed([secret]))).toBe(204);
      expect(await send(await signed(['whsec_new', secret], 290))).toBe(204);
      expect(await send(await signed(['whsec_other']))).toBe(400);
      expect(await send(await signed([secret]), `${body} `)).toBe(400);
      expect(await send(await signed([secret], 310))).toBe(400);
      expect(await send(await signed([secret], -310))).toBe(400);
      expect(await send({ 'service-signature': 't=1,v1=zz,v1' })).toBe(400);
      expect(await send({ 'service-signature': 'nonsense' })).toBe(400);
      expect(await send({})).toBe(400);
      expect(await send(await signed([secret], 0, verification), verification)).toBe(204);
      await expect.poll(() => running?.printed()).toBe('generation.failed gen_1\nledger.verified verification\n');
    },
    120_000,
  );
});

const tools = ['bash', 'curl', 'openssl'].filter((tool) => !has(tool, tool === 'openssl' ? 'version' : '--version'));

describe('curl and openssl', () => {
  beforeEach(() => start(process.execPath, program('TypeScript', 'ts')));

  it.skipIf(tools.length > 0)(
    `send what a receiver takes${tools.length > 0 ? ` (skipped: this machine has no ${tools.join(', ')})` : ''}`,
    async () => {
      const script = program('curl and openssl', 'sh');
      const run = async (given: string) => {
        const env = { ...process.env, RECEIVER_URL: running?.url ?? '', WEBHOOK_SECRET: given };
        const child = spawn('bash', [script], { env, stdio: 'ignore' });
        const [exitCode] = (await once(child, 'exit')) as [number];
        return exitCode;
      };
      expect(await run(secret)).toBe(0);
      expect(await run('whsec_other')).not.toBe(0);
      expect(running?.printed()).toMatch(/^generation.succeeded gen_/);
    },
    60_000,
  );
});
