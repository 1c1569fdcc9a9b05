import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FINDING_KINDS } from '#contract/resources/closing-finding.ts';
import { createTestClock } from '#server/app/testing/test-clock.ts';
import { randomRuns } from '#server/app/testing/test-tiers.ts';
import { describeOnBothDatabases } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { billFile, rowOf, runJob, sumNano, type TestJob } from './testing/closing-fixture.ts';

const clock = createTestClock(new Date('2026-10-20T08:00:00.000Z'));
const RUNS = randomRuns('CLOSING_MONTHS', { core: 3, more: 12 });
const MONTHS = ['2026-10', '2026-11', '2026-12'] as const;
const PROVIDERS = ['painter', 'sculptor'] as const;

/** Around the ends of months, a change of clocks, and an ordinary day. */
const time = fc.constantFrom(
  '2026-10-25T00:30:00.000Z',
  '2026-10-31T23:59:59.999Z',
  '2026-11-01T00:00:00.000Z',
  '2026-11-14T10:25:30.000Z',
  '2026-11-30T23:59:58.000Z',
  '2026-12-01T00:00:00.000Z',
);
const HOW = ['same', 'same', 'more', 'less', 'discount', 'later', 'twice', 'never', 'without_id', 'tiny'] as const;
const job = fc.record({
  at: time,
  how: fc.constantFrom(...HOW),
  provider: fc.constantFrom(...PROVIDERS),
  status: fc.constantFrom('succeeded' as const, 'succeeded' as const, 'failed' as const),
  costMicroUsd: fc.oneof(fc.constant(null), fc.bigInt({ min: 0n, max: 400_000n })),
  hasRequest: fc.boolean(),
});
const extra = fc.record({
  day: fc.constantFrom('2026-10-31', '2026-11-03', '2026-12-01'),
  provider: fc.constantFrom(...PROVIDERS),
  month: fc.constantFrom(...MONTHS),
  text: fc.constantFrom('ImgModel A 2, output', 'Volume credit', 'VAT 19 %', 'someone’s model'),
  request: fc.constantFrom('', 'nobody-1', 'nobody-2'),
  nano: fc.bigInt({ min: -900_000_000n, max: 900_000_000n }),
});
type Job = typeof job extends fc.Arbitrary<infer Value> ? Value : never;

const amount = (nano: bigint): string => {
  const digits = String(nano < 0n ? -nano : nano).padStart(10, '0');
  return `${nano < 0n ? '-' : ''}${digits.slice(0, -9)}.${digits.slice(-9)}`;
};

/** What its provider bills for a job, with the month of the bill. */
function linesOf({ at, how, hasRequest, costMicroUsd }: Job, index: number): { month: string; line: string }[] {
  const cost = (costMicroUsd ?? 33_000n) * 1_000n;
  const [month, day] = [at.slice(0, 7), at.slice(0, 10)];
  const line = (nano: bigint, of = month, id = hasRequest ? `r-${index}` : '') => ({
    month: of,
    line: `${day},ImgModel A 2,${id},1,${amount(nano)}`,
  });
  const later = MONTHS[MONTHS.findIndex((each) => each === month) + 1] ?? month;
  return {
    same: () => [line(cost)],
    more: () => [line(cost + 7_123_456n)],
    less: () => [line(cost / 3n)],
    discount: () => [line((cost * 90n) / 100n)],
    later: () => [line(cost, later)],
    twice: () => [line(cost), line(cost)],
    never: () => [],
    without_id: () => [line(cost, month, '')],
    tiny: () => [line(cost + 123n)],
  }[how]();
}

describeOnBothDatabases(
  'Random months',
  () => ({ engines: [createScriptedEngine()], clock }),
  (service) => {
    it('are named completely: the names add up to the bill less our cost, and settling books the rest', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(job, { minLength: 6, maxLength: 14 }),
          fc.array(extra, { maxLength: 6 }),
          fc.boolean(),
          check,
        ),
        { numRuns: RUNS, endOnFailure: true },
      );
    });

    async function check(
      jobs: Job[],
      extras: (typeof extra extends fc.Arbitrary<infer Value> ? Value : never)[],
      isEuro: boolean,
    ) {
      clock.advance(new Date('2026-10-01T08:00:00.000Z').getTime() - clock.now().getTime());
      const studio = await service.createOrganization('100.00');
      const ordered = jobs.toSorted((a, b) => (a.at < b.at ? -1 : 1));
      for (const [index, { hasRequest, ...each }] of ordered.entries()) {
        const work: TestJob = { ...each, requestId: hasRequest ? `r-${index}` : null };
        await runJob(service.get(), clock, studio, work);
      }
      clock.advance(new Date('2027-01-02T08:00:00.000Z').getTime() - clock.now().getTime());
      for (const provider of PROVIDERS)
        for (const month of MONTHS) {
          const lines = [
            ...ordered.flatMap((each, index) => (each.provider === provider ? linesOf(each, index) : [])),
            ...extras
              .filter((each) => each.provider === provider)
              .map(({ day, text, request, nano, ...each }) => ({
                ...each,
                line: `${day},"${text}",${request},,${amount(nano)}`,
              })),
          ].filter((each) => each.month === month);
          // A bill has a line of its month.
          const file = billFile([...lines.map(({ line }) => line), `${month}-15,Fee of ${provider},,,0.000000001`]);
          const rate: Record<string, string> = isEuro ? { currency: 'EUR', usd_rate: '1.0845' } : {};
          const query = { provider_id: `file:${provider}`, month, filename: `${month}.csv`, ...rate };
          await studio.call('create_provider_bill', { query, file });
        }
      for (const month of MONTHS) for (const provider of PROVIDERS) await checkMonth(studio, month, `file:${provider}`);
      for (const month of MONTHS) {
        const { can_close, problems } = (await studio.call('get_close', { query: { month } })).body;
        expect({ can_close, problems }).toEqual({ can_close: true, problems: [] });
        await studio.call('close_month', { params: { month } });
      }
    }

    async function checkMonth(
      studio: Awaited<ReturnType<typeof service.createOrganization>>,
      month: string,
      provider_id: string,
    ): Promise<void> {
      const read = async () => rowOf((await studio.call('get_close', { query: { month } })).body, provider_id);
      const list = async () =>
        (await studio.call('list_closing_findings', { query: { month, provider_id, limit: 200 } })).body.data;
      const [row, findings] = [await read(), await list()];
      const difference = sumNano([row.bill_usd ?? '0']) - sumNano([row.cost_usd]);
      expect(sumNano([row.difference_usd ?? '0'])).toBe(difference);
      expect(sumNano(row.findings.map(({ amount_usd }) => amount_usd))).toBe(difference);
      expect(sumNano(findings.map(({ difference_usd }) => difference_usd))).toBe(difference);
      expect(sumNano([row.explained_usd, row.open_usd])).toBe(difference);
      const bills = (await studio.call('list_provider_bills', { query: { month, provider_id } })).body.data;
      const lineCount = bills.reduce((sum, { line_count }) => sum + line_count, 0);
      expect(findings.reduce((sum, { line_count }) => sum + line_count, 0)).toBe(lineCount);
      const { data: margin } = (
        await studio.call('get_margin', {
          query: { group_by: 'provider', from: `${month}-01T00:00:00Z`, to: nextMonth(month) },
        })
      ).body;
      const cost = margin.find(({ id }) => id === provider_id);
      expect(sumNano([cost?.cost_usd ?? '0']) - sumNano([cost?.corrected_usd ?? '0'])).toBe(sumNano([row.cost_usd]));
      for (const kind of FINDING_KINDS) {
        const sums = row.findings.find((each) => each.kind === kind);
        const ofKind = findings.filter((each) => each.kind === kind);
        expect({ kind, count: sums?.finding_count ?? 0 }).toEqual({ kind, count: ofKind.length });
        expect(sums?.open_count ?? 0).toBe(ofKind.filter(({ due_usd }) => sumNano([due_usd]) !== 0n).length);
        const rounded = kind === 'rounded' ? sumNano(ofKind.map(({ difference_usd }) => difference_usd)) : 0n;
        expect(rounded < 5_000_000n && rounded > -5_000_000n).toBe(true);
      }
      for (let sums = row.findings; ; sums = (await read()).findings) {
        const [kind, action] = sums.flatMap((each) => each.actions.map((name) => [each.kind, name] as const))[0] ?? [];
        if (kind === undefined || action === undefined) break;
        await studio.call('settle_findings', { body: { month, provider_id, kind, action, note: 'By the bill' } });
      }
      const settled = await list();
      expect(settled.map(({ id, kind, difference_usd }) => [id, kind, difference_usd])).toEqual(
        findings.map(({ id, kind, difference_usd }) => [id, kind, difference_usd]),
      );
      expect(settled.every(({ due_usd, actions }) => due_usd === '0.00' && actions.length === 0)).toBe(true);
      const due = sumNano(findings.map(({ due_usd }) => due_usd));
      expect(sumNano([(await read()).corrected_usd]) - sumNano([row.corrected_usd])).toBe(due);
    }
  },
);

function nextMonth(month: string): string {
  const next = new Date(`${month}-01T00:00:00.000Z`);
  next.setUTCMonth(next.getUTCMonth() + 1);
  return next.toISOString();
}
