import { Link } from '@tanstack/react-router';
import { ArrowUpRight } from 'lucide-react';
import type { WorkflowRun, WorkflowRunStep } from '#contract/resources/workflow-run.ts';
import { AssetView } from '#web/media/outputs/asset-view.tsx';
import { useCommands } from '#web/ui/hooks/commands.ts';
import { Badge } from '#web/ui/display/badge.tsx';
import { buttonClass } from '#web/ui/controls/button.tsx';
import { Callout } from '#web/ui/display/callout.tsx';
import { Money } from '#web/api/money.tsx';
import { Progress } from '#web/ui/display/progress.tsx';
import { ExactTime } from '#web/ui/display/relative-time.tsx';
import { DescriptionList, Section } from '#web/ui/display/section.tsx';
import { SidePanel, SidePanelHeader } from '#web/ui/side-panel.tsx';
import { formatDuration } from '#web/ui/formats.ts';
import { StepBadge, formatItemProgress, stepStatusMessage } from '../steps/step-status.tsx';
import { StepLink } from './step-link.tsx';
import type { TaskId } from '#contract/ids.ts';
import { type CatalogNames, useCatalogNames } from '#web/api/catalog-names.ts';
import { AssetThumbnail } from '#web/media/outputs/asset-thumbnail.tsx';
import { TASK_ICONS } from '../steps/task-icons.ts';

interface StepPanelProps {
  run: WorkflowRun;
  step: WorkflowRunStep;
  onClose: () => void;
}

export function StepPanel({ run, step, onClose }: StepPanelProps) {
  const names = useCatalogNames();
  const { name, status, progress = null, kept, items, assets = [], generation_id } = step;
  useCommands([
    { group: 'Workflows', label: 'Close step details', keys: 'escape', hiddenInPalette: true, run: onClose },
  ]);
  return (
    <SidePanel label="Open step">
      <SidePanelHeader
        title={name}
        badge={
          <>
            <StepBadge status={status} progress={progress} />
            {kept ? <Badge tone="amber">Kept</Badge> : null}
          </>
        }
        onClose={onClose}
      />
      <div className="flex min-w-0 flex-1 flex-col gap-7 px-4 pt-4 pb-10 md:px-6">
        <div className="flex flex-col gap-3 empty:hidden">
          {items
            ? null
            : assets.map((asset, at) => (
                <AssetView key={asset.id} asset={asset} label={assets.length > 1 ? `${name} ${at + 1}` : name} />
              ))}
          {status === 'running' ? <Progress value={progress} label={name} /> : null}
          <StepStatusMessage run={run} step={step} />
          {generation_id ? (
            <Link to="/generations/$id" params={{ id: generation_id }} className={`${buttonClass()} self-start`}>
              <ArrowUpRight aria-hidden="true" className="size-4" />
              {kept ? 'Open original generation' : 'Open generation'}
            </Link>
          ) : null}
        </div>
        {items && items.length > 0 ? (
          <Section title="Items" aside={<span className="text-sm text-ink-3">{formatItemProgress(step)}</span>}>
            <StepItems task={step.task} items={items} />
          </Section>
        ) : null}
        <Section title="Details">
          <DescriptionList rows={factRows(run, step, names)} />
        </Section>
      </div>
    </SidePanel>
  );
}

function StepStatusMessage({ run, step }: { run: WorkflowRun; step: WorkflowRunStep }) {
  const message = stepStatusMessage(step, run.steps);
  if (step.status === 'succeeded' && !step.kept && step.items?.length !== 0) return null;
  if (step.status !== 'failed') return <p className="text-ink-2">{message}</p>;
  return (
    <Callout tone="bad" title="Step failed">
      <p>{message}</p>
      <p className="mt-1">{step.error?.retryable ? 'Try again: it may work.' : 'Failed steps are not charged.'}</p>
    </Callout>
  );
}

function factRows(run: WorkflowRun, step: WorkflowRunStep, names: CatalogNames) {
  const { task, model, kept, started_at = null, completed_at = null, amount_usd } = step;
  const dependencies = run.steps.filter(({ key }) => step.needs?.includes(key));
  const duration = formatDuration(started_at, completed_at);
  return [
    { name: 'Task', value: names.task(task) },
    ...(model ? [{ name: 'Model', value: names.model(model) }] : []),
    ...(dependencies.length > 0
      ? [{ name: 'Depends on', value: <RequiredSteps run_id={run.id} steps={dependencies} openKey={step.key} /> }]
      : []),
    ...(amount_usd === undefined ? [] : [{ name: 'Cost', value: <Money amount_usd={amount_usd} /> }]),
    ...(started_at ? [{ name: kept ? 'Created' : 'Started', value: <ExactTime at={started_at} /> }] : []),
    ...(completed_at ? [{ name: 'Finished', value: <ExactTime at={completed_at} /> }] : []),
    ...(duration ? [{ name: 'Duration', value: duration }] : []),
  ];
}

function RequiredSteps({
  run_id,
  steps,
  openKey,
}: {
  run_id: string;
  steps: readonly WorkflowRunStep[];
  openKey: string;
}) {
  return (
    <ul className="flex flex-wrap gap-x-3">
      {steps.map(({ key, name }) => (
        <li key={key}>
          <StepLink run_id={run_id} stepKey={key} openKey={openKey} className="underline underline-offset-2">
            {name}
          </StepLink>
        </li>
      ))}
    </ul>
  );
}

type Item = NonNullable<WorkflowRunStep['items']>[number];

function StepItems({ task, items }: { task: TaskId; items: readonly Item[] }) {
  return (
    <ol aria-label="Items" className="border-t border-line text-sm">
      {items.map((item) => {
        const { index, label, status, progress, generation_id, amount_usd, error, kept, assets = [] } = item;
        const name = label ?? `Item ${index + 1}`;
        return (
          <li key={index} className="relative flex items-center gap-3 border-b border-line py-2 pr-2 hover:bg-hover">
            <AssetThumbnail asset={assets[0]} icon={TASK_ICONS[task]} className="size-12 rounded-sm" />
            <span className="min-w-0 flex-1">
              {generation_id ? (
                <Link
                  to="/generations/$id"
                  params={{ id: generation_id }}
                  className="block truncate font-medium outline-none after:absolute after:inset-0 after:-outline-offset-2 focus-visible:after:outline-2 focus-visible:after:outline-focus"
                >
                  {name}
                </Link>
              ) : (
                <span className="block truncate font-medium">{name}</span>
              )}
              <span className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-ink-3">
                <StepBadge status={status} progress={progress} />
                {kept ? 'Kept' : null}
                {error ? <span className="min-w-0 wrap-anywhere">{error.message}</span> : null}
              </span>
            </span>
            <Money amount_usd={amount_usd} className="text-ink-2" />
          </li>
        );
      })}
    </ol>
  );
}
