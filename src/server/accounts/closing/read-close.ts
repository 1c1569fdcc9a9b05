import { formatNano, formatUsd, NANO_PER_MICRO, parseNano } from '#contract/money/money.ts';
import type { Close, CloseRow } from '#contract/resources/closing.ts';
import { readCreators } from '#server/accounts/keys/read-creators.ts';
import type { Deps } from '#server/platform/deps.ts';
import { nameBillProvider, type ProviderNames } from './bills/list-bills.ts';
import { type ClosingNames, matchMonth, type MonthSide } from './matching/match-month.ts';
import { monthPeriod } from './matching/select-pairs.ts';
import { type ClosingEntryRow, parseClosing, readClosedMonths } from './settling/closing-entries.ts';

/** Compares our known costs of a month in UTC with the bills of providers. Decision: Closing */
export async function readClose(
  deps: Pick<Deps, 'db' | 'clock'>,
  organization_id: string,
  month: string,
  { providers, readBilledNames }: ClosingNames,
): Promise<Close> {
  const { db, clock } = deps;
  const closedMonths = await readClosedMonths(db, organization_id);
  const closing = closedMonths.get(month);
  if (closing) return presentClosed(deps, closing, providers);
  const sides = await matchMonth(deps, organization_id, month, readBilledNames);
  const withoutWork = [...providers.keys()].filter((id) => !sides.some(({ provider_id }) => provider_id === id));
  const rows = [...sides, ...withoutWork.map(emptySide)].map((side): CloseRow => ({
    provider: { id: side.provider_id, name: nameBillProvider(side.provider_id, providers) },
    status: 'open',
    ...presentSide(side),
    matched_at: side.match?.matched_at.toISOString() ?? null,
  }));
  const problems = findProblems(month, rows, clock.now());
  return {
    object: 'billing_close',
    month,
    status: 'open',
    closed: null,
    can_close: problems.length === 0,
    problems,
    data: sortRows(rows),
  };
}

const emptySide = (provider_id: string): MonthSide => ({
  provider_id,
  costMicroUsd: 0n,
  unknownCount: 0,
  billCount: 0,
  billNano: null,
  match: null,
});

/** The figures of a match, which belong together, where there is one. */
export function presentSide({ costMicroUsd, unknownCount, billCount, billNano, match }: MonthSide) {
  const costNano = match?.cost_nano ?? costMicroUsd * NANO_PER_MICRO;
  const sums = match?.sums ?? [];
  const differenceNano = sums.reduce((sum, { amount_usd }) => sum + parseNano(amount_usd), 0n);
  const openNano = sums.reduce((sum, { open_usd }) => sum + parseNano(open_usd), 0n);
  return {
    cost_usd: formatUsd(costNano / NANO_PER_MICRO),
    unknown_cost_count: match?.unknown_cost_count ?? unknownCount,
    bill_count: billCount,
    bill_usd: billNano === null ? null : formatNano(billNano),
    difference_usd: billNano === null ? null : formatNano(differenceNano),
    explained_usd: formatNano(differenceNano - openNano),
    open_usd: formatNano(openNano),
    open_count: sums.reduce((sum, { open_count }) => sum + open_count, 0),
    corrected_usd: formatNano(match?.corrected_nano ?? 0n),
    findings: sums,
  };
}

type Problem = Close['problems'][number];

/** Why a month can't be closed. What is ours only may wait for a later bill. */
export function findProblems(month: string, rows: readonly Pick<CloseRow, 'findings'>[], now: Date): Problem[] {
  const findings = rows.flatMap((row) => row.findings);
  const countOpen = (sums: typeof findings) => sums.reduce((count, { open_count }) => count + open_count, 0);
  const waiting = countOpen(findings.filter(({ kind }) => kind === 'ours_only'));
  const open = countOpen(findings) - waiting;
  return [
    ...(now < monthPeriod(month).to
      ? [{ code: 'month_not_over' as const, message: 'The month is not over yet (UTC).' }]
      : []),
    ...(open > 0
      ? [
          {
            code: 'open_findings' as const,
            message: `Settle ${open === 1 ? 'one finding' : `${open} findings`} first.${waiting > 0 ? ' Ours only may wait.' : ''}`,
          },
        ]
      : []),
  ];
}

const sortRows = (rows: CloseRow[]): CloseRow[] =>
  rows.sort((a, b) => a.provider.name.localeCompare(b.provider.name) || (a.provider.id < b.provider.id ? -1 : 1));

/** As it was when it was closed. */
async function presentClosed(
  { db }: Pick<Deps, 'db'>,
  entry: ClosingEntryRow,
  providers: ProviderNames,
): Promise<Close> {
  const { month, seq, hash, created_at, created_by } = entry;
  const creatorOf = await readCreators({ db }, [created_by]);
  const at = created_at.toISOString();
  return {
    object: 'billing_close',
    month,
    status: 'closed',
    closed: { at, by: creatorOf(created_by), seq: Number(seq), hash },
    can_close: false,
    problems: [{ code: 'already_closed', message: 'The month is closed.' }],
    data: sortRows(
      parseClosing(entry).providers.map(({ provider_id, ...row }) => ({
        provider: { id: provider_id, name: nameBillProvider(provider_id, providers) },
        status: 'closed',
        ...row,
        matched_at: at,
      })),
    ),
  };
}
