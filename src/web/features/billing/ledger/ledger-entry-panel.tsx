import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatUsd, parseUsd } from '#contract/money/money.ts';
import type { LedgerEntry, LedgerEntryDetail } from '#contract/resources/ledger.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { COST_BASIS_LABELS } from '#web/upstream/cost-basis-labels.ts';
import { ledgerEntryQuery } from '#web/api/queries/ledger.ts';
import { isNotFound, queryError } from '#web/api/api-errors.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { tagsQuery } from '#web/api/queries/settings.ts';
import { RefundButton } from '#web/forms/money/refund-button.tsx';
import type { RefundableCharge } from '#web/forms/money/refund-dialog.tsx';
import { Badge } from '#web/ui/display/badge.tsx';
import { Button, buttonClass } from '#web/ui/controls/button.tsx';
import { CopyableCode } from '#web/ui/display/code-block.tsx';
import { CopyAddressButton, CopyButton } from '#web/ui/controls/copy-button.tsx';
import { cx } from '#web/ui/cx.ts';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { Money } from '#web/api/money.tsx';
import { PersonName } from '#web/ui/display/person-name.tsx';
import { DescriptionList, Section } from '#web/ui/display/section.tsx';
import { SidePanel, SidePanelHeader } from '#web/ui/side-panel.tsx';
import { Loading, Skeleton, SkeletonText } from '#web/ui/display/skeleton.tsx';
import { formatUtcMinute } from './format-utc-minute.ts';
import { LEDGER_TYPE_LABELS } from './ledger-type-labels.ts';

interface LedgerEntryPanelProps {
  id: string;
  onClose: () => void;
}

/** The details of one ledger entry beside the list. */
export function LedgerEntryPanel({ id, onClose }: LedgerEntryPanelProps) {
  const query = useQuery(ledgerEntryQuery(id));
  const { data: entry, refetch } = query;
  const problem = queryError(query);
  const label = entry && LEDGER_TYPE_LABELS[entry.type];
  return (
    <SidePanel label="Open entry">
      <SidePanelHeader
        title={entry?.seq === undefined ? 'Entry' : `Entry #${entry.seq}`}
        badge={label ? <Badge tone={label.tone}>{label.label}</Badge> : null}
        actions={
          <>
            {entry ? <CopyButton text={JSON.stringify(entry, null, 2)} label="Copy JSON" /> : null}
            <CopyAddressButton path={`/billing?part=ledger&open=${id}`} />
          </>
        }
        onClose={onClose}
      />
      <div className="min-w-0 flex-1 px-4 pt-4 pb-10 md:px-6">
        {entry ? (
          <EntryDetails entry={entry} />
        ) : isNotFound(problem) ? (
          <EmptyState title="Entry not found" actions={<Button onClick={onClose}>Back to the ledger</Button>}>
            The link may be wrong, or it belongs to another organization.
          </EmptyState>
        ) : problem ? (
          <LoadError what="This entry" error={problem} onRetry={() => void refetch()} />
        ) : (
          <Loading label="Loading entry">
            <Skeleton className="h-9 w-40" />
            <span className="mt-8 block">
              <SkeletonText lines={6} />
            </span>
          </Loading>
        )}
      </div>
    </SidePanel>
  );
}

function EntryDetails({ entry }: { entry: LedgerEntryDetail }) {
  return (
    <div className="flex flex-col gap-7">
      {entry.generation_id === null ? null : <WorkSection entry={entry} generation_id={entry.generation_id} />}
      <Section title="Entry">
        <DescriptionList rows={entryRows(entry)} />
      </Section>
      <ChainSection entry={entry} />
    </div>
  );
}

/** What the generation was and every entry of it, with their sum. */
function WorkSection({ entry, generation_id }: { entry: LedgerEntryDetail; generation_id: string }) {
  const names = useCatalogNames();
  const labels = new Map((useQuery(tagsQuery).data ?? []).map(({ name, label }) => [name, label]));
  const { prompt, task, model, person, key, tags, metadata, workflow_run_id, entries } = entry;
  const charge = findCharge(generation_id, entries);
  const net = entries.reduce((sum, { amount_usd }) => sum + parseUsd(amount_usd), 0n);
  const rows = [
    ...(task ? [{ name: 'Task', value: names.task(task) }] : []),
    ...(model ? [{ name: 'Model', value: names.model(model) }] : []),
    ...(person ? [{ name: 'Person', value: <PersonName {...person} /> }] : []),
    ...(key ? [{ name: 'Key', value: key.name }] : []),
    ...Object.entries(tags ?? {}).map(([name, value]) => ({ name: labels.get(name) ?? name, value })),
    ...Object.entries(metadata)
      .filter(([name]) => tags?.[name] === undefined)
      .map(([name, value]) => ({ name, value })),
    ...(workflow_run_id ? [{ name: 'Workflow run', value: <RunLink id={workflow_run_id} /> }] : []),
  ];
  return (
    <>
      <Section title="Generation">
        {prompt ? <p className="mb-3 line-clamp-6 text-sm wrap-anywhere">{prompt}</p> : null}
        <DescriptionList rows={rows} />
        <Link to="/generations/$id" params={{ id: generation_id }} search={{}} className={cx(buttonClass(), 'mt-4')}>
          Open generation
        </Link>
      </Section>
      <Section title="Charge">
        <ol aria-label="Entries of this charge" className="border-t border-line text-sm tabular-nums">
          {entries.map((each) => (
            <li key={each.id} className="border-b border-line">
              <EntryLink
                id={each.id}
                isCurrent={each.id === entry.id}
                className="grid grid-cols-[minmax(0,1fr)_auto_6rem] gap-x-4 px-1 py-1.5 hover:bg-hover aria-[current]:bg-press"
              >
                <span className="min-w-0">
                  #{each.seq} {LEDGER_TYPE_LABELS[each.type].label}
                  {each.type === 'REFUND' ? (
                    <span className="block text-xs wrap-anywhere text-ink-3">{each.description}</span>
                  ) : null}
                </span>
                <span className="whitespace-nowrap text-ink-3">{formatUtcMinute(each.created_at)}</span>
                <Money signed amount_usd={each.amount_usd} className="text-right" />
              </EntryLink>
            </li>
          ))}
          <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 px-1 py-1.5 font-medium">
            <span>Net change</span>
            <Money signed amount_usd={formatUsd(net)} />
          </li>
        </ol>
        {charge && net < 0n ? <RefundButton charge={charge} /> : null}
      </Section>
    </>
  );
}

/** null: nothing was charged. */
function findCharge(id: string, entries: readonly LedgerEntry[]): RefundableCharge | null {
  const sumOf = (type: LedgerEntry['type']) =>
    entries.reduce((sum, entry) => (entry.type === type ? sum + parseUsd(entry.amount_usd) : sum), 0n);
  const charged = -sumOf('SETTLE');
  const usage = {
    amount_usd: formatUsd(charged),
    refunded_usd: formatUsd(sumOf('REFUND')),
    billing_status: 'settled',
  } as const;
  return charged > 0n ? { id, usage } : null;
}

function entryRows(entry: LedgerEntry): { name: string; value: ReactNode }[] {
  const { type, amount_usd, available_after_usd, balance_after_usd, description, created_by, created_at } = entry;
  return [
    { name: 'Number', value: `#${entry.seq}` },
    { name: 'Type', value: `${LEDGER_TYPE_LABELS[type].label} (${type})` },
    { name: 'Amount', value: <Money signed amount_usd={amount_usd} /> },
    ...(entry.cost_usd && entry.cost_basis
      ? [
          {
            name: 'Provider cost',
            value: (
              <>
                <Money amount_usd={entry.cost_usd} /> ({COST_BASIS_LABELS[entry.cost_basis].label.toLowerCase()})
              </>
            ),
          },
        ]
      : []),
    ...(entry.margin_usd ? [{ name: 'Margin', value: <Money signed amount_usd={entry.margin_usd} /> }] : []),
    { name: 'Available after', value: <Money amount_usd={available_after_usd} /> },
    { name: 'Balance after', value: <Money amount_usd={balance_after_usd} /> },
    { name: 'Description', value: description },
    { name: 'Created by', value: created_by?.name ?? 'The service' },
    {
      name: 'Time (UTC)',
      value: <span className="tabular-nums">{created_at.replace('T', ' ').replace('Z', '')}</span>,
    },
    { name: 'ID', value: <CopyableCode text={entry.id} label="Copy ID" /> },
    ...(entry.generation_id
      ? [{ name: 'Generation', value: <CopyableCode text={entry.generation_id} label="Copy generation ID" /> }]
      : []),
  ];
}

function ChainSection({ entry: { hash = '', previous_hash, previous, next } }: { entry: LedgerEntryDetail }) {
  const canVerify = useCan('ledger.verify');
  const neighbor = (label: string, position: typeof next) =>
    position ? (
      <EntryLink id={position.id} className={buttonClass({ size: 'sm' })}>
        {label} #{position.seq}
      </EntryLink>
    ) : null;
  return (
    <Section title="Chain">
      <DescriptionList
        rows={[
          { name: 'Hash', value: <CopyableCode text={hash} label="Copy hash" /> },
          { name: 'Previous hash', value: <CopyableCode text={previous_hash} label="Copy previous hash" /> },
        ]}
      />
      <nav aria-label="Neighboring entries" className="mt-4 flex flex-wrap items-center gap-2">
        {neighbor('Previous', previous)}
        {neighbor('Next', next)}
        {canVerify ? (
          <Link to="/billing" search={{ part: 'audit' }} className="ml-auto text-sm underline underline-offset-2">
            Verify ledger
          </Link>
        ) : null}
      </nav>
    </Section>
  );
}

function EntryLink(props: { id: string; isCurrent?: boolean; className: string; children: ReactNode }) {
  const { id, isCurrent = false, className, children } = props;
  return (
    <Link
      to="/billing"
      search={(before) => ({ ...before, part: 'ledger' as const, open: id })}
      replace
      resetScroll={false}
      aria-current={isCurrent ? 'true' : undefined}
      className={className}
    >
      {children}
    </Link>
  );
}

const RunLink = ({ id }: { id: string }) => (
  <Link to="/workflows/runs/$id" params={{ id }} search={{}} className="underline underline-offset-2">
    Open run
  </Link>
);
