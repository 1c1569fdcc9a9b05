import { afterAll, beforeAll, describe, expect } from 'vitest';
import { parseUsd } from '#contract/money/money.ts';
import { appendEntry } from '#server/accounts/billing/ledger/append-entries.ts';
import { sharedPostgres } from '#server/app/testing/shared-postgres.ts';
import { type TestClient, createTestClient } from '#server/app/testing/test-client.ts';
import { type TestService, type TestServiceOptions, createTestService } from '#server/app/testing/test-service.ts';

export interface TestOrganization extends TestClient {
  organization_id: string;
  key: string;
}

export interface SharedService {
  /** Available only inside tests and hooks. */
  get(): TestService;
  createOrganization(amount_usd: string): Promise<TestOrganization>;
}

// Tests are collected before any hook runs.
const postgres = await sharedPostgres();

/**
 * Runs the same tests with one service on each database that the file's tier asks for: `*.databases.test.ts` on PostgreSQL
 * with `npm test` and on the embedded one with `npm run test:more`, which runs `*.more.test.ts` and random tests on both.
 * Where PostgreSQL is not installed, all take the embedded one. Use it once per test file.
 */
export function describeOnBothDatabases(
  name: string,
  options: () => Omit<TestServiceOptions, 'databaseUrl'>,
  tests: (service: SharedService) => void,
): void {
  for (const database of databasesOf(expect.getState().testPath ?? ''))
    describe(`${name}, on ${database}`, () =>
      tests(
        useSharedService(async () => ({
          ...options(),
          databaseUrl: (database === 'PostgreSQL' && (await postgres?.createDatabase())) || null,
        })),
      ));
}

type DatabaseName = 'PGlite' | 'PostgreSQL';

function databasesOf(file: string): DatabaseName[] {
  if (!postgres) return ['PGlite'];
  if (!/\.(?:databases|more)\.test\.ts$/.test(file))
    throw new Error(`Name ${file} *.databases.test.ts or *.more.test.ts.`);
  if (process.env['TEST_TIER'] !== 'more') return ['PostgreSQL'];
  return /\.(?:property\.databases|more)\.test\.ts$/.test(file) ? ['PGlite', 'PostgreSQL'] : ['PGlite'];
}

export function useSharedService(options: () => TestServiceOptions | Promise<TestServiceOptions>): SharedService {
  let started: TestService | undefined;
  beforeAll(async () => {
    const given = await options();
    started = await createTestService({ ...given, config: { rateLimitPerMinute: 1_000_000, ...given.config } });
  });
  afterAll(() => started?.close());
  const get = (): TestService => {
    if (!started) throw new Error('The service of these tests is not started yet.');
    return started;
  };
  return {
    get,
    async createOrganization(amount_usd) {
      const { app, deps, addOrganization } = get();
      const { organization_id, key } = await addOrganization();
      const client = createTestClient(app, key);
      const { body } = await client.call('get_billing_summary');
      const amount_micro_usd = parseUsd(amount_usd) - parseUsd(body.available_usd);
      const entry = { type: 'ADJUSTMENT', amount_micro_usd, description: 'For a test', created_by: null } as const;
      if (amount_micro_usd !== 0n)
        await deps.db.transaction((tx) => appendEntry(tx, organization_id, entry, deps.clock.now()));
      return { organization_id, key, ...client };
    },
  };
}
