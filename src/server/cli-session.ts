import { systemClock } from './clock.ts';
import { createLog } from './compose.ts';
import { readConfig } from './config.ts';
import { openDatabase } from './db/open.ts';
import { organizations } from './db/schema.ts';
import type { Deps } from './deps.ts';
import { bootstrap } from './keys/bootstrap.ts';

export interface CliSession extends Pick<Deps, 'config' | 'db' | 'clock'> {
  organization_id: string;
}

/**
 * Opens the database for one command on the organization of this installation.
 * @throws with a sentence where the service has the embedded database open
 */
export async function withOrganization(work: (session: CliSession) => Promise<void>): Promise<void> {
  const config = readConfig();
  const database = await openDatabase(config, createLog(config));
  try {
    const { db } = database;
    const first_key = await bootstrap({ db, clock: systemClock, config });
    // Nothing else will ever show it, and what a command prints belongs to the command.
    if (first_key !== null) process.stderr.write(`First sign-in link: ${config.public_url}/sign-in#key=${first_key}\n`);
    const [organization] = await db.select().from(organizations).orderBy(organizations.id).limit(1);
    if (!organization) throw new Error('There is no organization yet.');
    await work({ config, db, clock: systemClock, organization_id: organization.id });
  } finally {
    await database.close();
  }
}
