import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod/mini';
import { hasErrorCode } from '#server/platform/core/has-error-code.ts';
import type { Deps } from '#server/platform/deps.ts';
import { BackupError } from './backup-manifest.ts';
import { organizations } from '#server/platform/db/schema/organization-schema.ts';
import { checkInstallation } from './check-installation.ts';
import { createShellSignIn, ShellSignIn } from './shell-sign-in.ts';
import { writeBackup } from './write-backup.ts';

/** Linux accepts 107 bytes. */
const MAX_PATH_BYTES = 103;
/** The database waits while a backup is read, so a command that stopped reading ends it. */
const STALL_MS = 30_000;

const socketPath = (dataDir: string): string => join(dataDir, 'admin.sock');

/**
 * Lets commands of the shell reach the embedded database while this process has it open, by a socket in the data folder
 * that only the service's user can use. @returns a function that closes it
 */
export async function startAdminSocket(deps: Deps): Promise<() => Promise<void>> {
  const path = socketPath(deps.config.dataDir);
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) {
    deps.log.warn({ path }, 'the path of DATA_DIR is too long for backups and sign-in links while the service runs');
    return async () => undefined;
  }
  await rm(path, { force: true });
  const running = new AbortController();
  const server = createServer((incoming, response) => {
    handle(deps, incoming, response, running.signal).catch((error: unknown) => {
      deps.log.error({ err: error }, 'a command of the shell failed');
      response.destroy();
    });
  });
  server.setTimeout(STALL_MS, (socket) => socket.destroy());
  server.listen(path);
  await once(server, 'listening');
  return async () => {
    running.abort();
    await closeServer(server);
    await rm(path, { force: true });
  };
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

async function handle(
  deps: Parameters<typeof startAdminSocket>[0],
  incoming: IncomingMessage,
  response: ServerResponse,
  running: AbortSignal,
): Promise<void> {
  const hasAll = incoming.url?.endsWith('?all') === true;
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const signal = AbortSignal.any([running, gone.signal]);
  if (incoming.url?.startsWith('/backup')) {
    await writeBackup(deps, response, { includes_media: hasAll, signal });
  } else if (incoming.url?.startsWith('/check')) {
    incoming.socket.setTimeout(0);
    const problems = await checkInstallation(deps, { checksAllMedia: hasAll });
    response.end(JSON.stringify(problems));
  } else if (incoming.url === '/sign-in') {
    response.end(JSON.stringify(await answerSignIn(deps, await json(incoming))));
  } else response.writeHead(404).end();
}

const SignInAnswer = z.union([z.strictObject({ url: z.string() }), z.strictObject({ problem: z.string() })]);
type SignInAnswer = z.infer<typeof SignInAnswer>;

async function answerSignIn(deps: Deps, body: unknown): Promise<SignInAnswer> {
  const [organization] = await deps.db.select().from(organizations).orderBy(organizations.id).limit(1);
  if (!organization) return { problem: 'There is no organization yet.' };
  try {
    return { url: await createShellSignIn(deps, organization.id, z.parse(ShellSignIn, body)) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Asks the service that has the data folder open for a sign-in link.
 * @returns null if none listens @throws an error with a sentence
 */
export async function requestSignIn(dataDir: string, who: z.infer<typeof ShellSignIn>): Promise<string | null> {
  const response = await send(dataDir, '/sign-in', JSON.stringify(who));
  if (!response) return null;
  const answer = z.parse(SignInAnswer, await json(response));
  if ('problem' in answer) throw new Error(answer.problem);
  return answer.url;
}

/** Asks the service that has the data folder open for a backup. @returns false if none listens */
export async function requestBackup(dataDir: string, includesMedia: boolean, out: Writable): Promise<boolean> {
  const response = await send(dataDir, `/backup${includesMedia ? '?all' : ''}`);
  if (!response) return false;
  await pipeline(response, out).catch((cause: unknown) => {
    throw new BackupError('The service ended the backup early: its log has the reason.', { cause });
  });
  return true;
}

/** Asks the service that has the data folder open to check itself. @returns null if none listens */
export async function requestCheck(dataDir: string, checksAllMedia: boolean): Promise<string[] | null> {
  const response = await send(dataDir, `/check${checksAllMedia ? '?all' : ''}`);
  return response && z.parse(z.array(z.string()), await json(response));
}

async function send(dataDir: string, path: string, body = ''): Promise<Readable | null> {
  const outgoing = request({ socketPath: socketPath(dataDir), path, method: 'POST' }).end(body);
  try {
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    return response;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ECONNREFUSED')) return null;
    throw error;
  }
}
