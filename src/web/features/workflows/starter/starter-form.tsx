import type { WorkflowStarter } from '#contract/resources/workflow-starter.ts';
import type { InputContract } from '#contract/task.ts';
import { useStartRun } from '#web/api/queries/workflow-runs.ts';
import { workflowEstimateQuery } from '#web/api/queries/workflow-starters.ts';
import type { InputForm } from '#web/forms/values/input-form.ts';
import { TagFields } from '#web/forms/tags/tag-fields.tsx';
import { tagMetadata } from '#web/forms/tags/tag-metadata.ts';
import { OrderBar } from '../order-bar.tsx';
import { OrderForm, type OrderState } from '../order-form.tsx';
import { formatPriceFrom } from '../starters/starter-labels.ts';
import { StarterPrefill } from './starter-prefill.tsx';
import { exampleValues, useDraftForm } from './use-draft-form.ts';
import { useWorkflowQuote } from './use-workflow-quote.ts';

export function StarterForm({ starter, contract }: { starter: WorkflowStarter; contract: InputContract }) {
  const { slug: starter_slug, name, available = true } = starter;
  const form = useDraftForm(starter_slug, contract, () => exampleValues(contract, starter));
  const { mutateAsync } = useStartRun();
  const prepare = (input: Record<string, unknown>) => {
    const body = { starter_slug, input, ...tagMetadata() };
    return {
      order: { type: 'workflow_run' as const, workflow_run: { metadata: null, ...body } },
      send: (idempotencyKey: string) => mutateAsync({ body, idempotency_key: idempotencyKey }),
    };
  };
  return (
    <>
      <StarterPrefill form={form} starter={starter} />
      <OrderForm form={form} label={name} action="Run" name={starter_slug} isUnavailable={!available} prepare={prepare}>
        {(state) => (
          <>
            {contract.fields.length === 0 ? <p className="text-ink-2">No inputs needed.</p> : null}
            <TagFields />
            <RunBar starter={starter} form={form} {...state} />
          </>
        )}
      </OrderForm>
    </>
  );
}

/** Apart from the form, so that a new price does not render the fields. */
function RunBar({ starter, form, ...state }: OrderState & { starter: WorkflowStarter; form: InputForm }) {
  const { slug, available = true } = starter;
  const priceFrom = formatPriceFrom(starter) ?? null;
  const quote = useWorkflowQuote(form, (input) => workflowEstimateQuery(slug, input), priceFrom);
  return (
    <OrderBar
      {...state}
      quote={quote}
      action="Run"
      unavailable={!available}
      isRequested={({ type, starter_slug }) => type === 'workflow_run' && starter_slug === slug}
    />
  );
}
