import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { WorkflowStarter } from '#contract/resources/workflow-starter.ts';
import type { InputContract } from '#contract/task.ts';
import { readWorkflowInput } from '#contract/workflow-input.ts';
import { meQuery } from '#web/api/queries/me.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { Section } from '#web/ui/section.tsx';
import { tooltipProps } from '#web/ui/tooltip.tsx';
import { formatStarterOutputs, sourceLabel } from '../starters/starter-labels.ts';
import { StepOutline } from '../steps/step-outline.tsx';
import { LatestRuns } from './latest-runs.tsx';
import { StarterPrefill } from './starter-prefill.tsx';
import { StarterActions } from './starter-actions.tsx';
import { starterColumns } from './starter-columns.ts';
import { StarterForm } from './starter-form.tsx';
import { exampleValues, useDraftForm } from './use-draft-form.ts';

export function StarterView({ starter }: { starter: WorkflowStarter }) {
  const { data: me } = useQuery(meQuery);
  const label = sourceLabel(starter, me?.key.id);
  const { name, description, source, steps, available = true, unavailable_reason, created_by } = starter;
  const schema = JSON.stringify(starter.input_schema);
  // The form is stable as long as the schema is.
  const read = useMemo(() => readWorkflowInput(JSON.parse(schema)), [schema]);
  return (
    <>
      <title>{`${name} · Workflows · Emulsion`}</title>
      <header className="flex flex-wrap items-start gap-x-6 gap-y-3">
        <div className="min-w-0 flex-[1_1_20rem]">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 tabIndex={-1} className="text-xl font-semibold tracking-[-0.015em] wrap-anywhere outline-none">
              {name}
            </h1>
            {label ? (
              <span {...tooltipProps(label.description)}>
                <Badge tone={source === 'own' ? 'amber' : 'neutral'}>{label.label}</Badge>
              </span>
            ) : null}
          </div>
          <p dir="auto" className="mt-1 max-w-3xl whitespace-pre-line text-ink-2 wrap-anywhere">
            {description}
          </p>
        </div>
        <StarterActions starter={starter} />
      </header>
      <div className={starterColumns}>
        <div className="flex min-w-0 flex-col gap-5">
          {available ? null : (
            <Callout tone="amber" title="This workflow can’t run right now">
              {unavailable_reason} Your inputs are kept.
            </Callout>
          )}
          {read.ok ? (
            <PrefilledStarterForm starter={starter} contract={read.contract} />
          ) : (
            <Callout tone="bad" title="This form can’t be shown">
              {read.problems[0]?.message} The author of this workflow needs to fix it.
            </Callout>
          )}
        </div>
        <div className="flex min-w-0 flex-col gap-8">
          <Section title="Steps" aside={<span className="text-sm text-ink-3">{formatStarterOutputs(starter)}</span>}>
            <StepOutline steps={steps} />
            {created_by ? <p className="mt-3 text-sm text-ink-3">Saved by {created_by.name}.</p> : null}
          </Section>
          <LatestRuns slug={starter.slug} />
        </div>
      </div>
    </>
  );
}

function PrefilledStarterForm({ starter, contract }: { starter: WorkflowStarter; contract: InputContract }) {
  const form = useDraftForm(starter.slug, contract, () => exampleValues(contract, starter));
  return (
    <>
      <StarterPrefill form={form} starter={starter} />
      <StarterForm starter={starter} form={form} />
    </>
  );
}
