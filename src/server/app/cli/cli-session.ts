import { systemClock } from '#server/platform/core/clock.ts';
import { composeService, createLogger } from '#server/app/compose.ts';
import { readConfig } from '#server/platform/core/settings/config.ts';
import { openDataDirectories } from '#server/platform/core/settings/data-directories.ts';
import { withLongStatements } from '#server/platform/db/postgres/long-statements.ts';
import { openDatabase } from '#server/platform/db/open-database.ts';
import { organizations } from '#server/platform/db/schema/organization-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { bootstrap } from '#server/app/bootstrap.ts';
import { buildSignInUrl } from '#server/accounts/keys/sign-in-tokens.ts';

type CliDeps = Pick<Deps, 'config' | 'db' | 'clock'>;

export interface CliSession extends CliDeps {
  organization_id: string;
}
export interface ServiceSession {
  deps: Deps;
  organization_id: string;
}

/**
 * Opens the database for one command and finds the organization of this installation.
 * @throws an error with a sentence if the service has the embedded database open
 */
export async function withOrganization(work: (session: CliSession) => Promise<void>): Promise<void> {
  const config = readConfig();
  const log = createLogger(config);
  await openDataDirectories(config, log);
  const database = await openDatabase(config, log);
  const baseDeps = { config, db: database.db, clock: systemClock };
  try {
    const organizationId = await findOrganizationId(baseDeps);
    await withLongStatements(() => work({ ...baseDeps, organization_id: organizationId }));
  } finally {
    await database.close();
  }
}

export async function withService(work: (session: ServiceSession) => Promise<void>): Promise<void> {
  const config = readConfig();
  const { deps, database } = await composeService(config, createLogger(config), false);
  try {
    const organizationId = await findOrganizationId(deps);
    await withLongStatements(() => work({ deps, organization_id: organizationId }));
  } finally {
    await deps.queue.stop(1_000);
    await database.close();
  }
}

async function findOrganizationId(baseDeps: CliDeps): Promise<string> {
  const firstToken = await bootstrap(baseDeps);
  // The link is not shown again. Standard output belongs to the command.
  if (firstToken !== null) process.stderr.write(`First sign-in link: ${buildSignInUrl(baseDeps.config, firstToken)}\n`);
  const [organization] = await baseDeps.db.select().from(organizations).orderBy(organizations.id).limit(1);
  if (!organization) throw new Error('There is no organization yet.');
  return organization.id;
}
