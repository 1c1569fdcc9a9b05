import { useQuery } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import type { WorkflowEstimate } from '#contract/resources/workflow-estimate.ts';
import { isMissingFeature } from '#web/api-errors.ts';
import type { FormState } from '#web/forms/form-state.ts';
import { judgeAtHand, onJudge } from '#web/forms/judge.ts';
import { localOrigin } from '#web/forms/media-info.ts';
import { pricedBlank, pricedInput } from '#web/forms/priced-input.ts';
import { priceLabel } from '#web/forms/price-lines.ts';
import { useSettledValues } from '#web/forms/use-settled-values.ts';
import type { workflowEstimateQuery } from '#web/queries/workflow-starters.ts';

export interface WorkflowQuote {
  /** As the service says; null while something is missing, or it has not answered. */
  estimate: WorkflowEstimate | null;
  /** What stands on the button; null where nothing can be said. */
  label: string | null;
  /** A sentence where there is no estimate. */
  remark: string | null;
  /** The estimate is of what stood there a moment ago. */
  asking: boolean;
}

/**
 * What a run with the input of a form would cost.
 * @param from shown before there is an estimate
 */
export function useWorkflowQuote(
  form: FormState,
  estimateOf: (input: Record<string, unknown>) => ReturnType<typeof workflowEstimateQuery>,
  from: string | null,
): WorkflowQuote {
  const values = useSettledValues(form);
  const judge = useSyncExternalStore(onJudge, judgeAtHand);
  const priced = useMemo(
    () => (judge ? pricedInput(judge, form.contract, values, localOrigin()) : pricedBlank(form.contract, values)),
    [judge, form, values],
  );
  const order = priced.kind === 'order' ? priced.input : null;
  const { data, isPlaceholderData, error } = useQuery({
    ...estimateOf(order ?? {}),
    enabled: order !== null,
  });
  if (priced.kind === 'blocked')
    return { estimate: null, label: null, remark: `No price yet. ${priced.reason}`, asking: false };
  if (priced.kind === 'partial')
    return { estimate: null, label: from, remark: 'The price is known once the files are there.', asking: false };
  if (data) return { estimate: data, label: priceLabel(data), remark: null, asking: isPlaceholderData };
  // An addition of the service: where it is lacking, nothing is said.
  if (isMissingFeature(error)) return { estimate: null, label: from, remark: null, asking: false };
  if (error instanceof Error)
    return { estimate: null, label: from, remark: `No price yet. ${error.message}`, asking: false };
  return { estimate: null, label: from, remark: 'Asking for the price…', asking: true };
}
