import { useQuery } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import type { WorkflowEstimate } from '#contract/resources/workflow-starter.ts';
import { isMissingFeature } from '#web/api/api-errors.ts';
import type { InputForm } from '#web/forms/input-form.ts';
import { loadedValidator, onValidatorLoad } from '#web/forms/validator.ts';
import { localServiceOrigin } from '#web/api/reference-info.ts';
import { toPriceableBlank, toPriceableInput } from '#web/forms/priceable-input.ts';
import { priceLabel } from '#web/forms/price-lines.ts';
import { useDebouncedValues } from '#web/forms/use-debounced-values.ts';
import type { workflowEstimateQuery } from '#web/api/queries/workflow-starters.ts';

export interface WorkflowQuote {
  /** The service's estimate; null while inputs are missing or the service has not responded. */
  estimate: WorkflowEstimate | null;
  /** The price on the button; null while unknown. */
  label: string | null;
  message: string | null;
  /** Whether the estimate is for earlier values. */
  isUpdating: boolean;
}

/** @param from the label to show before there is an estimate */
export function useWorkflowQuote(
  form: InputForm,
  estimateOf: (input: Record<string, unknown>) => ReturnType<typeof workflowEstimateQuery>,
  from: string | null,
): WorkflowQuote {
  const values = useDebouncedValues(form);
  const validate = useSyncExternalStore(onValidatorLoad, loadedValidator);
  const priced = useMemo(
    () =>
      validate
        ? toPriceableInput(validate, form.contract, values, localServiceOrigin())
        : toPriceableBlank(form.contract, values),
    [validate, form, values],
  );
  const input = priced.kind === 'complete' ? priced.input : null;
  const { data, isPlaceholderData, error } = useQuery({
    ...estimateOf(input ?? {}),
    enabled: input !== null,
  });
  if (priced.kind === 'blocked') return { estimate: null, label: null, message: priced.reason, isUpdating: false };
  if (priced.kind === 'partial')
    return { estimate: null, label: from, message: 'Add your files to see the exact price.', isUpdating: false };
  if (data) return { estimate: data, label: priceLabel(data), message: null, isUpdating: isPlaceholderData };
  // Estimates are optional: a service may lack them.
  if (isMissingFeature(error)) return { estimate: null, label: from, message: null, isUpdating: false };
  if (error instanceof Error)
    return { estimate: null, label: from, message: `No price yet. ${error.message}`, isUpdating: false };
  return { estimate: null, label: from, message: 'Getting the price…', isUpdating: true };
}
