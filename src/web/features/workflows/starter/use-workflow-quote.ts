import { useQuery } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import type { WorkflowEstimate } from '#contract/resources/workflow-estimate.ts';
import { isMissingFeature } from '#web/api/api-errors.ts';
import type { InputForm } from '#web/forms/input-form.ts';
import { loadedValidator, onValidatorLoad } from '#web/forms/validator.ts';
import { localServiceOrigin } from '#web/api/reference-info.ts';
import { toPriceableBlank, toPriceableInput } from '#web/forms/priceable-input.ts';
import { priceLabel } from '#web/forms/price-lines.ts';
import { useDebouncedValues } from '#web/forms/use-debounced-values.ts';
import type { workflowEstimateQuery } from '#web/api/queries/workflow-starters.ts';

export interface WorkflowQuote {
  /** As the service says; null while something is missing, or it has not answered. */
  estimate: WorkflowEstimate | null;
  /** What stands on the button; null where nothing can be said. */
  label: string | null;
  /** A sentence where there is no estimate. */
  message: string | null;
  /** The estimate is of what stood there a moment ago. */
  isUpdating: boolean;
}

/**
 * What a run with the input of a form would cost.
 * @param from shown before there is an estimate
 */
export function useWorkflowQuote(
  form: InputForm,
  estimateOf: (input: Record<string, unknown>) => ReturnType<typeof workflowEstimateQuery>,
  from: string | null,
): WorkflowQuote {
  const values = useDebouncedValues(form);
  const judge = useSyncExternalStore(onValidatorLoad, loadedValidator);
  const priced = useMemo(
    () =>
      judge
        ? toPriceableInput(judge, form.contract, values, localServiceOrigin())
        : toPriceableBlank(form.contract, values),
    [judge, form, values],
  );
  const order = priced.kind === 'order' ? priced.input : null;
  const { data, isPlaceholderData, error } = useQuery({
    ...estimateOf(order ?? {}),
    enabled: order !== null,
  });
  if (priced.kind === 'blocked')
    return { estimate: null, label: null, message: `No price yet. ${priced.reason}`, isUpdating: false };
  if (priced.kind === 'partial')
    return { estimate: null, label: from, message: 'The price is known once the files are there.', isUpdating: false };
  if (data) return { estimate: data, label: priceLabel(data), message: null, isUpdating: isPlaceholderData };
  // An addition of the service: where it is lacking, nothing is said.
  if (isMissingFeature(error)) return { estimate: null, label: from, message: null, isUpdating: false };
  if (error instanceof Error)
    return { estimate: null, label: from, message: `No price yet. ${error.message}`, isUpdating: false };
  return { estimate: null, label: from, message: 'Asking for the price…', isUpdating: true };
}
