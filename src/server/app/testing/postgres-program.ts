import { existsSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Debian keeps the server's programs out of PATH. */
const DEBIAN_FOLDERS = '/usr/lib/postgresql/*/bin';

/** Returns the path of a program of PostgreSQL, or its name if it is not found. */
export function postgresProgram(name: 'initdb' | 'postgres' | 'pg_dump'): string {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...globSync(DEBIAN_FOLDERS).sort().toReversed()];
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file)) ?? name;
}
