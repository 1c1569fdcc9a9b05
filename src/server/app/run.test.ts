import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type OutgoingHttpHeaders, request as requestOver } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import allocatorSettings from '#server/platform/core/process/allocator-settings.json' with { type: 'json' };
import { VERSION } from '#server/platform/core/version.ts';
import { CLI, MAIN, type StartedProgram, useProgram } from './testing/program-fixture.ts';

// Starting a process takes seconds on a busy machine.
const program = useProgram();
let key: string;
let cliToken: string;
let running: StartedProgram;
const request = (path: string, headers: OutgoingHttpHeaders) =>
  requestOver(`${program.url()}${path}`, { method: 'POST', headers });

async function post<T>(path: string, body: unknown, bearer?: string): Promise<T> {
  const authorization = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
  const headers = { 'content-type': 'application/json', ...authorization };
  const response = await fetch(program.url() + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return (await response.json()) as T;
}
const exchange = async (token: string) => (await post<{ secret: string }>('/v1/sign-in', { token })).secret;
const createKey = async (bearer: string) =>
  (await post<{ key: string }>('/v1/api-keys', { name: 'Program', kind: 'organization' }, bearer)).key;
const me = (bearer: string) => fetch(`${program.url()}/v1/me`, { headers: { authorization: `Bearer ${bearer}` } });

beforeAll(async () => {
  running = await program.startService({ METRICS_TOKN: 'x' });
});

describe('the first start', () => {
  it('prints a sign-in link with a token that works once, and neither a key nor a log', async () => {
    const links = [...running.stdout().matchAll(/\S+\/sign-in#token=(mgs_lnk_[\w-]{43})/g)];
    expect(links).toHaveLength(1);
    expect(running.stdout()).toContain(`Emulsion ${VERSION} is ready at ${program.url()}`);
    expect(running.stdout()).not.toMatch(/\{|mgs_org_/);
    const session = await exchange(links[0]?.[1] ?? '');
    expect(await (await me(session)).json()).toMatchObject({
      person: { name: 'Administrator', role: 'administrator' },
    });
    await expect(exchange(links[0]?.[1] ?? '')).rejects.toThrow('401');
    key = await createKey(session);
    expect((await me(key)).status).toBe(200);
  });
});

it('starts without ffmpeg and logs what is disabled and what to install', () => {
  expect(running.stderr()).toMatch(
    /FFMPEG_PATH does not name a working ffmpeg\. Video and audio are disabled: install ffmpeg 5 or newer/,
  );
});

it('logs that a mistyped variable has no effect', () => {
  expect(running.stderr()).toContain(
    'METRICS_TOKN is no setting of Emulsion and has no effect: is METRICS_TOKEN meant?',
  );
});

describe('while it runs', () => {
  it.runIf(process.platform === 'linux')('has the allocator settings from the start of its process', async () => {
    const variables = (await readFile(`/proc/${running.child.pid}/environ`, 'utf8')).split('\0');
    for (const [name, value] of Object.entries(allocatorSettings)) expect(variables).toContain(`${name}=${value}`);
  });

  it('shows its version in the health check and the log', async () => {
    expect(await (await fetch(`${program.url()}/healthz`)).json()).toEqual({ status: 'ok', version: VERSION });
    expect(running.stderr()).toContain(`"version":"${VERSION}","role":"all","msg":"started"`);
  });

  it('keeps keys and the signatures of links out of its log', async () => {
    await fetch(`${program.url()}/media/ast_01m7y6v0gyeg6ksk7hyezzk3qs?expires=1&sig=verysecret`);
    await me('mgs_org_verysecret');
    await expect.poll(() => running.stderr()).toContain('"path":"/v1/me","status":401');
    expect(running.stderr()).toContain('"path":"/media/ast_01m7y6v0gyeg6ksk7hyezzk3qs","status":404');
    expect(running.stderr()).not.toMatch(/verysecret/);
    expect(running.stderr()).not.toContain(key);
  });
});

it('prints only which variable is invalid when it can’t start', async () => {
  const started = program.start(MAIN, [], { ...program.env(), MAX_JSON_BYTES: 'many' });
  expect(await started.exitCode).toBe(1);
  expect([started.stderr(), started.stdout()]).toEqual([
    'MAX_JSON_BYTES must be a whole number from 1 to 1073741824.\n',
    '',
  ]);
});

describe('SIGTERM', () => {
  it('completes open requests, accepts no others, and exits within 15 s', async () => {
    const headers = { 'content-type': 'application/json', expect: '100-continue' };
    const outgoing = request('/v1/estimate', headers);
    const answer = once(outgoing, 'response');
    outgoing.flushHeaders();
    await once(outgoing, 'continue');
    outgoing.write('{"task":"social.search",');
    const fromMs = Date.now();
    running.child.kill('SIGTERM');
    await expect.poll(() => fetch(`${program.url()}/healthz`).catch(() => 'refused')).toBe('refused');
    outgoing.end('"input":{}}');
    const [incoming] = (await answer) as [{ statusCode: number; resume(): void }];
    incoming.resume();
    expect(incoming.statusCode).toBe(422);
    expect(await running.exitCode).toBe(0);
    expect(Date.now() - fromMs).toBeLessThan(15_000);
  });

  it('releases the folder for the CLI', async () => {
    const link = program.start(CLI, ['sign-in', '--name', 'Anna'], program.env());
    expect(await link.exitCode).toBe(0);
    cliToken = new RegExp(`^${program.url()}/sign-in#token=(\\S+)\n$`).exec(link.stdout())?.[1] ?? '';
  });

  it('lets the CLI end in silence when nobody reads what it prints', async () => {
    const verification = program.start(CLI, ['verify'], program.env());
    verification.child.stdout?.destroy();
    expect([await verification.exitCode, verification.stderr()]).toEqual([0, '']);
  });

  it('restarts with all data, and prints no second link', async () => {
    running = await program.startService();
    expect(running.stdout()).not.toContain('sign-in');
    expect((await me(key)).status).toBe(200);
    expect(await (await me(await exchange(cliToken))).json()).toMatchObject({ key: { name: 'Anna' } });
  });

  it('closes hanging requests', async () => {
    const form = { 'content-type': 'multipart/form-data; boundary=x', expect: '100-continue' };
    const hanging = request('/v1/uploads', { authorization: `Bearer ${key}`, ...form });
    const broken = once(hanging, 'error');
    hanging.flushHeaders();
    await once(hanging, 'continue');
    hanging.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc');
    const fromMs = Date.now();
    running.child.kill('SIGTERM');
    expect(await running.exitCode).toBe(0);
    expect(Date.now() - fromMs).toBeLessThan(15_000);
    await broken;
  });
});
