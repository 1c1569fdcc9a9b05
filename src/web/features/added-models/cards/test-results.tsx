import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import { formatMoney } from '#contract/money/money.ts';
import type { AddedModel } from '#contract/resources/added-model.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { isActive } from '#contract/statuses.ts';
import { useUpdateAddedModel } from '#web/api/queries/added-models.ts';
import { generationQuery } from '#web/api/queries/generations.ts';
import { GenerationOutputs } from '#web/media/outputs/generation-outputs.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Callout } from '#web/ui/display/callout.tsx';
import { Disclosure } from '#web/ui/controls/disclosure.tsx';
import { Skeleton } from '#web/ui/display/skeleton.tsx';
import { StatusBadge } from '#web/ui/display/status-badge.tsx';
import { toastError } from '#web/ui/overlays/toast-error.ts';

type Test = AddedModel['tests'][number];

/** The newest tests of a model: what they made, and what they were estimated, charged and cost. */
export function TestResults({ model }: { model: AddedModel }) {
  const [newest, ...older] = model.tests;
  if (!newest) return null;
  return (
    <section aria-label="Test results" className="flex flex-col gap-4 border-t border-line pt-4">
      <TestResult key={newest.generation_id} model={model} test={newest} />
      {older.length > 0 ? (
        <Disclosure lazy summary={older.length === 1 ? '1 earlier test' : `${older.length} earlier tests`}>
          <div className="flex flex-col gap-5">
            {older.map((test) => (
              <TestResult key={test.generation_id} model={model} test={test} />
            ))}
          </div>
        </Disclosure>
      ) : null}
    </section>
  );
}

function TestResult({ model, test }: { model: AddedModel; test: Test }) {
  const { data: generation } = useQuery(generationQuery(test.generation_id));
  const status = generation?.status ?? test.status;
  return (
    <article aria-label="Test" className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <StatusBadge status={status} progress={generation?.progress ?? null} />
        <Link
          to="/generations/$id"
          params={{ id: test.generation_id }}
          className="ml-auto text-sm text-ink-2 underline-offset-2 hover:underline"
        >
          Details
        </Link>
      </div>
      <TestFacts test={test} isDone={!isActive(test.status)} />
      {generation ? <TestOutputs model={model} generation={generation} /> : <Skeleton className="h-40 w-full" />}
    </article>
  );
}

function TestFacts({ test, isDone }: { test: Test; isDone: boolean }) {
  const { estimate_usd, charge_usd, cost_usd, seconds } = test;
  const facts = [
    { name: 'Estimate', value: formatMoney(estimate_usd) },
    { name: 'Charged', value: isDone ? formatMoney(charge_usd) : '…' },
    { name: 'Cost', value: isDone ? (cost_usd === null ? 'Not reported' : formatMoney(cost_usd)) : '…' },
    { name: 'Time', value: seconds === null ? '…' : `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s` },
  ];
  const isOver = cost_usd !== null && isDone && Number(cost_usd) > Number(charge_usd) && Number(charge_usd) > 0;
  return (
    <>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-2 text-sm tabular-nums sm:grid-cols-4">
        {facts.map(({ name, value }) => (
          <div key={name}>
            <dt className="text-ink-3">{name}</dt>
            <dd className="font-medium">{value}</dd>
          </div>
        ))}
      </dl>
      {isOver ? (
        <Callout tone="amber" title="It cost more than it was charged">
          Raise the price or the markup, or add the tier that the provider applied.
        </Callout>
      ) : null}
    </>
  );
}

function TestOutputs({ model, generation }: { model: AddedModel; generation: Generation }) {
  const { status, error, output } = generation;
  if (isActive(status)) return <Skeleton className="h-40 w-full rounded-md" />;
  if (status !== 'succeeded')
    return (
      <Callout
        tone={status === 'failed' ? 'bad' : 'amber'}
        title={status === 'failed' ? 'The test failed' : 'No result'}
      >
        {error?.message ?? 'The service gave no reason.'}
      </Callout>
    );
  const kept = output.assets.filter(({ removed_at }) => !removed_at);
  return (
    <>
      {output.assets.length > 0 ? <GenerationOutputs generation={generation} maxHeight="40dvh" /> : null}
      {output.data ? (
        <Disclosure summary="Data" open={output.assets.length === 0}>
          <pre className="font-mono text-xs wrap-anywhere whitespace-pre-wrap">
            {JSON.stringify(output.data, null, 2)}
          </pre>
        </Disclosure>
      ) : null}
      {kept.length > 0 ? (
        <div className="flex flex-wrap gap-2">
          {kept.map(({ id }, index) => (
            <SampleButton key={id} model={model} asset={id} label={kept.length > 1 ? ` ${index + 1}` : ''} />
          ))}
        </div>
      ) : null}
    </>
  );
}

interface SampleButtonProps {
  model: AddedModel;
  asset: string;
  label: string;
}

/** Chooses the result that the card of a model shows. */
function SampleButton({ model: { id, sample_asset_id }, asset, label }: SampleButtonProps) {
  const update = useUpdateAddedModel();
  const isSample = sample_asset_id === asset;
  return (
    <Button
      size="sm"
      aria-pressed={isSample}
      busy={update.isPending}
      icon={isSample ? <Check aria-hidden="true" className="size-3.5" /> : undefined}
      onClick={() =>
        update.mutate({ id, sample_asset_id: isSample ? null : asset }, { onError: toastError('Sample not changed') })
      }
    >
      {isSample ? `Result${label} is the sample` : `Use result${label} as sample`}
    </Button>
  );
}
