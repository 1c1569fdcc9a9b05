import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { createLogger } from '#server/app/compose.ts';
import { readConfig } from '#server/platform/core/settings/config.ts';
import { openDataDirectories } from '#server/platform/core/settings/data-directories.ts';
import { type MigrationPlan, readMigrationPlan } from '#server/platform/db/migration-plan.ts';
import { openUnmigratedDatabase } from '#server/platform/db/open-database.ts';

/** `migrate` upgrades the database without starting the service; `--plan` only describes that. */
export function migrateCommand(print: (text: string) => void): Command {
  return new Command('migrate')
    .description('apply pending migrations of the database; the service also does this when it starts')
    .option('--plan', 'only list what would be done')
    .action(async ({ plan: is_plan_only = false }: { plan?: boolean }) => {
      const config = readConfig();
      if (config.databaseUrl === null && !existsSync(join(config.dataDir, 'database')))
        return print(`There is no database in ${config.dataDir} yet. The service creates it at its first start.`);
      const log = createLogger(config);
      await openDataDirectories(config, log);
      const database = await openUnmigratedDatabase(config, log);
      try {
        const plan = await readMigrationPlan(database.db);
        for (const line of describePlan(plan)) print(line);
        if (is_plan_only || plan.pending.length === 0) return;
        await database.migrate();
        print('The database is up to date.');
      } finally {
        await database.close();
      }
    });
}

/** Describes a plan in lines for a terminal. */
export function describePlan({ pending, sizes }: MigrationPlan): string[] {
  if (pending.length === 0) return ['No migration is pending.'];
  const withSizes = (tables: readonly string[]) => tables.map((table) => describeTable(table, sizes)).join(', ');
  // The other tables are created by an earlier pending migration.
  const existing = (tables: readonly string[]) => tables.filter((table) => sizes.has(table));
  const locked = new Set(existing(pending.flatMap((migration) => migration.locked)));
  const blocked = new Set(existing(pending.flatMap((migration) => migration.read_only)));
  const readOnly = [...blocked].filter((table) => !locked.has(table));
  return [
    pending.length === 1 ? '1 migration is pending:' : `${pending.length} migrations are pending:`,
    ...pending.map(({ tag, changes }) => `${tag}: ${changes.join(', ')}`),
    ...(locked.size > 0 ? [`Not readable meanwhile: ${withSizes([...locked])}`] : []),
    ...(readOnly.length > 0 ? [`Not writable meanwhile: ${withSizes(readOnly)}`] : []),
    'All are applied in one transaction: if one fails, the database stays as it is.',
  ];
}

function describeTable(table: string, sizes: MigrationPlan['sizes']): string {
  const size = sizes.get(table);
  if (!size) return table;
  const rows = size.row_count === null ? '' : `about ${size.row_count.toLocaleString('en-US')} rows, `;
  return `${table} (${rows}${size.size})`;
}
