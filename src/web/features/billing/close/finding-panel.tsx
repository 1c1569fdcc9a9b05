import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { formatMoney } from '#contract/money/money.ts';
import type { ClosingFinding, ClosingFindingDetails } from '#contract/resources/closing-finding.ts';
import { isNotFound, queryError } from '#web/api/api-errors.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { Money } from '#web/api/money.tsx';
import { findingQuery, findingsQuery } from '#web/api/queries/closing.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { usePagedList } from '#web/collections/collection-list.ts';
import { toQuery } from '#web/collections/filter-rows.ts';
import { LineItems } from '#web/collections/line-items.tsx';
import { Button, buttonClass } from '#web/ui/controls/button.tsx';
import { CopyButton } from '#web/ui/controls/copy-button.tsx';
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
  const { rows } = usePagedList(findingsQuery({ ...toQuery(FINDING_FILTERS, search), month, provider_id }));
  const details = useQuery(findingQuery(id));
  const problem = queryError(details);
  // The list has it at once, all but earlier settlements.
  const finding = details.data ?? rows.find((row) => row.id === id);
  return (
    <SidePanel label="Open finding" key={id}>
      <SidePanelHeader
        title={finding ? KIND_LABELS[finding.kind] : 'Finding'}
        badge={finding ? <FindingStateBadge finding={finding} /> : null}
        onClose={onClose}
      />
      <div className="min-w-0 flex-1 px-4 pt-4 pb-10 md:px-6">
        {finding ? (
          <FindingDetails
            finding={finding}
            settlements={details.data?.settlements ?? (finding.settled ? [finding.settled] : [])}
          />
        ) : isNotFound(problem) ? (
          <EmptyState title="Finding not found" actions={<Button onClick={onClose}>Back to the list</Button>}>
            Another bill or cost may have replaced it.
          </EmptyState>
        ) : problem ? (
          <LoadError what="This finding" error={problem} onRetry={() => void details.refetch()} />
        ) : (
          <Loading label="Loading finding">
            <SkeletonText lines={6} />
          </Loading>
        )}
      </div>
    </SidePanel>
  );
}

const SettleDialog = lazyComponent(async () => (await import('./settle-dialog.tsx')).SettleDialog);

interface FindingDetailsProps {
  finding: ClosingFinding;
  settlements: ClosingFindingDetails['settlements'];
}

function FindingDetails({ finding, settlements }: FindingDetailsProps) {
  const { kind, cost_usd, bill_usd, difference_usd, generation_id, line, actions } = finding;
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
      {settlements.length > 0 ? <Settlements settlements={settlements} /> : null}
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

function Settlements({ settlements }: Pick<FindingDetailsProps, 'settlements'>) {
  return (
    <Section title={settlements.length === 1 ? 'Settlement' : 'Settlements'}>
      <ol className="flex flex-col divide-y divide-line">
        {settlements.map(({ id, action, note, amount_usd, by, at }) => (
          <li key={id} className="flex flex-col gap-0.5 py-2 text-sm first:pt-0">
            <span className="flex justify-between gap-3 font-medium">
              {ACTIONS[action].label}
              <Money signed amount_usd={amount_usd} />
            </span>
            {note === null ? null : <span className="wrap-anywhere">{note}</span>}
            <span className="flex flex-wrap items-center gap-x-1.5 text-xs text-ink-3">
              <bdi>{by.person?.name ?? by.name}</bdi>
              <ExactTime at={at} />
              <CopyButton text={id} label="Copy ID of the settlement" />
            </span>
          </li>
        ))}
      </ol>
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
