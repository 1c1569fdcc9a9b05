import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isTaskId } from '#contract/catalog.ts';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import type { ChoiceFieldSpec, FieldSpec as InputField } from '#contract/task.ts';
import { inputContract, isModelId, knownTasks, modelsForTask } from '#web/api/known-models.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { optionLabel } from '#web/forms/values/format-field-value.ts';
import { whatIfQuery } from '#web/api/queries/billing.ts';
import { queryError } from '#web/api/api-errors.ts';
import { BackLink } from '#web/ui/back-link.tsx';
import { startOfUtcDay } from '#web/ui/controls/days.ts';
import { Field } from '#web/ui/controls/field.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import type { BillingTabProps } from '../billing-search.ts';
import { PERIOD_PRESETS } from '../period.ts';
import { PeriodSelect } from '../period-select.tsx';
import { WhatIfResult } from './what-if-result.tsx';

const UNCHANGED = 'same';
const ALL = 'all';
const whatIfTasks = () => knownTasks().filter((task) => modelsForTask(task).length > 0);

const isResolutionField = (field: InputField): field is ChoiceFieldSpec =>
  field.kind === 'choice' && field.name !== 'aspect_ratio';

function durationOptions(task: TaskId, model: AnyModelId | null): number[] {
  const field = inputContract(task, model)?.fields.find(({ name }) => name === 'duration_seconds');
  if (field?.kind === 'choice') return field.options.map(Number);
  if (field?.kind !== 'integer' || field.min === null || field.max === null) return [];
  const { min, max } = field;
  return Array.from({ length: max - min + 1 }, (_, at) => min + at);
}

function resolutionOptions(task: TaskId, model: AnyModelId | null): { value: string; label: string }[] {
  const field = inputContract(task, model)?.fields.find(({ name }) => name === 'resolution');
  if (!field || !isResolutionField(field)) return [];
  return field.options.map((option) => ({ value: String(option), label: optionLabel(field, option) }));
}

/** Reprices past work with another model, length or resolution. */
export function WhatIfCalculator({ search: { from, to, task: requestedTask }, onChange }: BillingTabProps) {
  const [now] = useState(() => new Date());
  const defaultPeriod = PERIOD_PRESETS.lastMonth.of(now);
  const names = useCatalogNames();
  const tasks = whatIfTasks();
  const task = requestedTask && tasks.includes(requestedTask) ? requestedTask : 'video.create';
  const [usedModel, setUsedModel] = useState<AnyModelId>();
  const [model, setModel] = useState<AnyModelId>();
  const [seconds, setSeconds] = useState<number>();
  const [resolution, setResolution] = useState<string>();
  const models = modelsForTask(task);
  const target = model ?? usedModel ?? models[0] ?? null;
  const lengths = durationOptions(task, target);
  const resolutions = resolutionOptions(task, target);
  const input = {
    ...(seconds !== undefined && lengths.includes(seconds) ? { duration_seconds: seconds } : {}),
    ...(resolution !== undefined && resolutions.some(({ value }) => value === resolution) ? { resolution } : {}),
  };
  const change = { ...(model ? { model } : {}), ...(Object.keys(input).length > 0 ? { input } : {}) };
  const start = startOfUtcDay(from ?? defaultPeriod.from);
  const end = startOfUtcDay(to ?? (from ? PERIOD_PRESETS.today.of(now).to : defaultPeriod.to), 1);
  const enabled = Object.keys(change).length > 0 && start !== undefined && end !== undefined;
  const query = useQuery({
    ...whatIfQuery({
      from: start?.toISOString() ?? '',
      to: end?.toISOString() ?? '',
      task,
      ...(usedModel ? { model: usedModel } : {}),
      change,
    }),
    enabled,
  });
  const modelOptions = models.map((value) => ({ value, label: names.model(value) }));
  return (
    <div className="grid items-start gap-8 lg:grid-cols-[20rem_minmax(0,1fr)]">
      <div className="flex flex-col gap-5">
        <div>
          <BackLink to="/billing" search={{ part: 'report', from, to }}>
            Report
          </BackLink>
          <h2 className="text-md font-semibold">What if</h2>
          <p className="text-sm text-ink-2">Reprices past work with another model, length or resolution.</p>
        </div>
        <Field label="Period">
          <PeriodSelect from={from} to={to} none="Last month" onChange={onChange} />
        </Field>
        <Field label="Task">
          <Select
            value={task}
            options={tasks.map((value) => ({ value, label: names.task(value) }))}
            onChange={(value) => {
              if (!isTaskId(value)) return;
              setUsedModel(undefined);
              setModel(undefined);
              onChange({ task: value });
            }}
          />
        </Field>
        <Field label="Model used">
          <Select
            value={usedModel ?? ALL}
            options={[{ value: ALL, label: 'Any model' }, ...modelOptions]}
            onChange={(value) => setUsedModel(isModelId(value) ? value : undefined)}
          />
        </Field>
        <Field label="Reprice with">
          <Select
            value={model ?? UNCHANGED}
            options={[{ value: UNCHANGED, label: 'Same model' }, ...modelOptions]}
            onChange={(value) => setModel(isModelId(value) ? value : undefined)}
          />
        </Field>
        {lengths.length > 0 ? (
          <Field label="Length">
            <Select
              value={'duration_seconds' in input ? String(input.duration_seconds) : UNCHANGED}
              options={[
                { value: UNCHANGED, label: 'Unchanged' },
                ...lengths.map((length) => ({ value: String(length), label: `${length} s` })),
              ]}
              onChange={(value) => setSeconds(value === UNCHANGED ? undefined : Number(value))}
            />
          </Field>
        ) : null}
        {resolutions.length > 0 ? (
          <Field label="Resolution">
            <Select
              value={'resolution' in input ? String(input.resolution) : UNCHANGED}
              options={[{ value: UNCHANGED, label: 'Unchanged' }, ...resolutions]}
              onChange={(value) => setResolution(value === UNCHANGED ? undefined : value)}
            />
          </Field>
        ) : null}
      </div>
      <WhatIfResult
        hasChange={enabled}
        result={query.data}
        problem={queryError(query)}
        onRetry={() => void query.refetch()}
      />
    </div>
  );
}
