import { afterAll, beforeAll, describe } from 'vitest';
import { parseUsd } from '#contract/money.ts';
import { appendEntry } from '#server/accounts/billing/append-entries.ts';
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
 * Runs the same tests on the embedded database and, if available, on PostgreSQL, with one service each. Use it once per
 * test file.
 */
export function describeOnBothDatabases(
  name: string,
  options: () => Omit<TestServiceOptions, 'databaseUrl'>,
  tests: (service: SharedService) => void,
): void {
  describe(`${name}, on PGlite`, () => tests(useSharedService(async () => ({ ...options(), databaseUrl: null }))));
  describe.skipIf(!postgres)(`${name}, on PostgreSQL`, () =>
    tests(useSharedService(async () => ({ ...options(), databaseUrl: (await postgres?.createDatabase()) ?? null }))),
  );
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
