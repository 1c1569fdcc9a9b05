import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { unpackPreparedDatabase } from '#server/app/testing/prepared-database.ts';

export interface Floor {
  url: string;
  stop(): Promise<void>;
}

/** Starts the floor in a process of its own, with bare routes and an empty embedded database. */
export const startFloor = (): Promise<Floor> => spawnFloor({});

/** Starts the floor of creates. @param databaseUrl an empty database; undefined: an embedded one */
export async function startFloorTransaction(databaseUrl?: string, organizations = 1): Promise<Floor> {
  const folder = await mkdtemp(path.join(tmpdir(), 'emulsion-floor-'));
  if (databaseUrl === undefined) await unpackPreparedDatabase(path.join(folder, 'database'));
  const database: Record<string, string> = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl };
  const floor = await spawnFloor({
    FLOOR_FOLDER: folder,
    FLOOR_ORGANIZATIONS: String(organizations),
    ...database,
  });
  return {
    ...floor,
    async stop() {
      await floor.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function spawnFloor(env: Record<string, string>): Promise<Floor> {
  const child: ChildProcess = spawn(process.execPath, [path.join(import.meta.dirname, 'floor-server.ts')], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (!child.stdout) throw new Error('The floor has no output.');
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    url: chunk.toString().replace('listening ', '').trim(),
    async stop() {
      const exited = once(child, 'exit');
      child.kill();
      await exited;
    },
  };
}
