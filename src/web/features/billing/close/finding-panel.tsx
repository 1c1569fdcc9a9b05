import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { formatMoney } from '#contract/money/money.ts';
import type { ClosingFinding } from '#contract/resources/closing.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { findingsQuery } from '#web/api/queries/closing.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { usePagedList } from '#web/collections/collection-list.ts';
import { toQuery } from '#web/collections/filter-rows.ts';
import { LineItems } from '#web/collections/line-items.tsx';
import { Button, buttonClass } from '#web/ui/controls/button.tsx';
import { CopyableCode } from '#web/ui/display/code-block.tsx';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { ExactTime } from '#web/ui/display/relative-time.tsx';
import { formatNumber } from '#web/ui/formats.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { DescriptionList, Section } from '#web/ui/display/section.tsx';
import { SidePanel, SidePanelHeader } from '#web/ui/side-panel.tsx';
import { Loading, SkeletonText } from '#web/ui/display/skeleton.tsx';
import type { BillingSearch } from '../billing-search.ts';
import { formatUtcMonth } from '../period.ts';
import { defaultCloseMonth } from './close-month.ts';
import { FINDING_FILTERS, KIND_LABELS } from './close-search.ts';
import { FindingStateBadge } from './finding-collection.tsx';
import { ACTIONS, describeCause, findingTitle, KIND_SENTENCES } from './finding-labels.ts';

interface FindingPanelProps {
  id: string;
  search: BillingSearch;
  onClose: () => void;
}

/** The details of one finding beside the list, which has loaded it. */
export function FindingPanel({ id, search, onClose }: FindingPanelProps) {
  const { provider: provider_id, month = defaultCloseMonth() } = search;
  const { rows, isLoading } = usePagedList(findingsQuery({ ...toQuery(FINDING_FILTERS, search), month, provider_id }));
  const finding = rows.find((row) => row.id === id);
  return (
    <SidePanel label="Open finding" key={id}>
      <SidePanelHeader
        title={finding ? KIND_LABELS[finding.kind] : 'Finding'}
        badge={finding ? <FindingStateBadge finding={finding} /> : null}
        onClose={onClose}
      />
      <div className="min-w-0 flex-1 px-4 pt-4 pb-10 md:px-6">
        {finding ? (
          <FindingDetails finding={finding} />
        ) : isLoading ? (
          <Loading label="Loading finding">
            <SkeletonText lines={6} />
          </Loading>
        ) : (
          <EmptyState title="Not in this list" actions={<Button onClick={onClose}>Back to the list</Button>}>
            Clear the filters or scroll down to find it. Matching again may have replaced it.
          </EmptyState>
        )}
      </div>
    </SidePanel>
  );
}

const SettleDialog = lazyComponent(async () => (await import('./settle-dialog.tsx')).SettleDialog);

function FindingDetails({ finding }: { finding: ClosingFinding }) {
  const { kind, cost_usd, bill_usd, difference_usd, generation_id, line, actions, settled } = finding;
  const canSettle = useCan('funds.manage') && actions.length > 0;
  const [isSettling, setIsSettling] = useState(false);
  const cause = describeCause(finding);
  return (
    <div className="flex flex-col gap-7">
      <div>
        <p className="text-md font-semibold wrap-anywhere">
          <bdi>{findingTitle(finding)}</bdi>
        </p>
        <p className="mb-3 text-sm text-ink-2">
          {KIND_SENTENCES[kind]} {cause === null ? null : `${cause}.`}
        </p>
        <LineItems
          columns={['What', 'Amount']}
          hasHeadings={false}
          items={[
            { id: 'cost', name: 'Our cost', amounts: [cost_usd === null ? '–' : formatMoney(cost_usd)] },
            { id: 'bill', name: 'Their bill', amounts: [bill_usd === null ? '–' : formatMoney(bill_usd)] },
          ]}
          total={{ name: 'Difference', amounts: [formatMoney(difference_usd, { signed: true })] }}
        />
        <div className="mt-4 flex flex-wrap gap-2 empty:hidden">
          {canSettle ? (
            <Button variant="primary" onPointerEnter={SettleDialog.preload} onClick={() => setIsSettling(true)}>
              Settle…
            </Button>
          ) : null}
          {generation_id === null ? null : (
            <Link to="/generations/$id" params={{ id: generation_id }} search={{}} className={buttonClass()}>
              Open generation
            </Link>
          )}
          {line === null ? null : (
            <Link
              to="/billing"
              search={{ part: 'close', month: finding.month, bill: line.bill_id, row: line.row }}
              className={buttonClass()}
            >
              Open bill line
            </Link>
          )}
        </div>
      </div>
      {settled ? <Settlement settled={settled} /> : null}
      <FindingFacts finding={finding} />
      {isSettling ? (
        <SettleDialog
          month={finding.month}
          providerId={finding.provider.id}
          findings={[finding]}
          onClose={() => setIsSettling(false)}
        />
      ) : null}
    </div>
  );
}

function Settlement({ settled }: { settled: NonNullable<ClosingFinding['settled']> }) {
  const { action, note, by, at, id } = settled;
  return (
    <Section title="Settled">
      <DescriptionList
        rows={[
          { name: 'Action', value: ACTIONS[action].label },
          ...(note === null ? [] : [{ name: 'Note', value: note }]),
          { name: 'By', value: by.person?.name ?? by.name },
          { name: 'Time', value: <ExactTime at={at} /> },
          { name: 'Record', value: <CopyableCode text={id} label="Copy ID of the settlement" /> },
        ]}
      />
    </Section>
  );
}

function FindingFacts({ finding }: { finding: ClosingFinding }) {
  const names = useCatalogNames();
  const { task, model, service, request_id, job_count, line_count, line, charged_at, is_correction, detail } = finding;
  const rows = [
    { name: 'Task', value: task && names.task(task) },
    { name: 'Model', value: model?.name },
    { name: 'On the bill', value: service },
    { name: 'Request', value: request_id && <CopyableCode text={request_id} label="Copy request id" /> },
    { name: 'Jobs', value: formatNumber(job_count) },
    { name: 'Bill lines', value: line && line_count === 1 ? `Row ${line.row}` : formatNumber(line_count) },
    { name: 'Day (UTC)', value: charged_at.slice(0, 10) },
    { name: 'Other month', value: detail.month && formatUtcMonth(detail.month) },
    { name: 'Correction', value: is_correction && 'Of a month that was closed before' },
  ];
  return (
    <Section title="Details">
      <DescriptionList rows={rows.filter(({ value }) => Boolean(value))} />
    </Section>
  );
}
