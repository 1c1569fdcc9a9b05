import { expect, it } from 'vitest';
import { createTestClock } from '#server/app/testing/test-clock.ts';
import { useSharedService } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { DAY_MS, createAlertsFixture } from './testing/alerts-fixture.ts';

const service = useSharedService(() => ({ clock: createTestClock(new Date('2026-11-23T15:00:00Z')) }));
const alerts = createAlertsFixture(service);

/** @param spent_usd today's charges, then those of the same day one, two, three … weeks ago; null: nothing yet */
async function isUnusual(spent_usd: readonly (number | null)[]): Promise<boolean> {
  const organization = await service.createOrganization('20');
  await alerts.setSpending(organization, spent_usd);
  await alerts.check(organization);
  return (await alerts.list(organization, 'unusual_spend')).length === 1;
}

it.each([
  ['more than three times the average of four weeks', [60.01, 20, 10, 30, 20], true],
  ['three times the average', [60, 20, 10, 30, 20], false],
  ['the fifth week, which does not count', [31, 10, 10, 10, 10, 500], true],
  ['ten dollars after little', [10, 1, 1], true],
  ['less than ten dollars, however much that is', [9.99, 0.01, 0.01], false],
  ['idle weeks after the first charge, which count as nothing', [30, null, null, null, 40], false],
  ['more than three times the average with idle weeks', [30.01, null, null, null, 40], true],
  ['a single week before', [500, 1], false],
  ['no history', [500], false],
  ['nothing today', [0, 10, 10], false],
] as const)('compares today with %s', async (_, spent_usd, expected) => {
  expect(await isUnusual(spent_usd)).toBe(expected);
});

it('says what is compared, and ends with the day', async () => {
  const organization = await service.createOrganization('20');
  await alerts.setSpending(organization, [84, 20, 20]);
  await alerts.check(organization);
  expect(await alerts.list(organization)).toMatchObject([
    {
      kind: 'unusual_spend',
      period: '2026-11-23',
      message: '$84.00 were charged today so far. The last 2 Mondays had $20.00 on average.',
    },
  ]);
  service.get().deps.clock.advance(DAY_MS);
  await alerts.check(organization);
  expect(await alerts.list(organization)).toMatchObject([{ status: 'resolved' }]);
});
