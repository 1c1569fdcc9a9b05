import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import type { WorkflowEstimate } from '#contract/resources/workflow-starter.ts';
import type { InputForm } from '#web/forms/values/input-form.ts';
import {
  describeEqualPrices,
  durationCandidates,
  type EqualPriceDurations,
  findDurationField,
} from '#web/forms/money/equal-price-durations.ts';
import { MINIMUM_CHARGE, priceLabel } from '#web/forms/money/price-lines.ts';
import { usePriceableInput } from '#web/forms/use-debounced-values.ts';
import type { workflowEstimateQuery } from '#web/api/queries/workflow-starters.ts';

export interface WorkflowQuote {
  /** The service's estimate; null while inputs are missing or the service has not responded. */
  estimate: WorkflowEstimate | null;
  /** The price on the button; null while unknown. */
  label: string | null;
  message: string | null;
  /** Whether the estimate is for earlier values. */
  isUpdating: boolean;
  equalPrices: EqualPriceDurations | null;
}

type EstimateOf = (input: Record<string, unknown>) => ReturnType<typeof workflowEstimateQuery>;

/** @param from the label to show before there is an estimate */
export function useWorkflowQuote(form: InputForm, estimateOf: EstimateOf, from: string | null): WorkflowQuote {
  const { priced } = usePriceableInput(form);
  const input = priced.kind === 'complete' ? priced.input : null;
  const { data, isPlaceholderData, error } = useQuery({
    ...estimateOf(input ?? {}),
    enabled: input !== null,
  });
  const equalPrices = useEqualPrices(form, estimateOf, input, isPlaceholderData ? undefined : data);
  const unknown = { estimate: null, label: from, message: null, isUpdating: false, equalPrices: null };
  if (priced.kind === 'blocked') return { ...unknown, label: null, message: priced.reason };
  if (priced.kind === 'partial') return { ...unknown, message: 'Add your files to see the exact price.' };
  if (data)
    return { estimate: data, label: priceLabel(data), message: null, isUpdating: isPlaceholderData, equalPrices };
  if (error instanceof Error) return { ...unknown, message: `No price yet. ${error.message}` };
  return { ...unknown, message: 'Getting the price…', isUpdating: true };
}

/** Which durations cost the same because of a minimum charge. */
function useEqualPrices(
  { contract }: InputForm,
  estimateOf: EstimateOf,
  input: Record<string, unknown> | null,
  estimate: WorkflowEstimate | undefined,
): EqualPriceDurations | null {
  const client = useQueryClient();
  const field = findDurationField(contract);
  const selected = field && input?.[field.name];
  const isMinimum = estimate?.steps.some(hasMinimumCharge) ?? false;
  const enabled = field !== undefined && typeof selected === 'number' && isMinimum;
  const { data: durations } = useQuery({
    queryKey: [...estimateOf(input ?? {}).queryKey, 'equal_durations'],
    queryFn: () =>
      field && estimate
        ? findEqualDurations(client, estimateOf, estimate, input ?? {}, field.name, durationCandidates(field))
        : [],
    enabled,
    staleTime: Infinity,
  });
  return enabled && durations ? describeEqualPrices(field, selected, durations, false) : null;
}

const hasMinimumCharge = ({ line_items }: WorkflowEstimate['steps'][number]): boolean =>
  line_items.some(({ description }) => description === MINIMUM_CHARGE);

const MAX_ESTIMATES = 12;

/** Under a minimum charge, short durations cost the same up to one. @param candidates ascending, in seconds */
async function findEqualDurations(
  client: QueryClient,
  estimateOf: EstimateOf,
  { amount_usd }: WorkflowEstimate,
  input: Record<string, unknown>,
  field: string,
  candidates: readonly number[],
): Promise<number[]> {
  const durations: number[] = [];
  for (const seconds of candidates.slice(0, MAX_ESTIMATES)) {
    const estimate = await client.fetchQuery(estimateOf({ ...input, [field]: seconds }));
    if (estimate.amount_usd !== amount_usd) break;
    durations.push(seconds);
  }
  return durations;
}
