import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useWatch, type Control, useController } from 'react-hook-form';
import { formatMoney, parseUsd } from '#contract/money/money.ts';
import type { BodyInput } from '#contract/api/endpoints.ts';
import type { ApprovalRequest, RequestEstimate } from '#contract/resources/request.ts';
import { describeRequest } from '#web/budgets/describe-request.ts';
import { newIdempotencyKey } from '#web/api/queries/idempotency-key.ts';
import { invalidate } from '#web/api/api-query.ts';
import { requestEstimateQuery, useDecideRequest } from '#web/api/queries/requests.ts';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { parseAmount } from '#web/ui/controls/parse-amount.ts';
import { TextArea } from '#web/ui/controls/text-input.tsx';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import { RequestDetails, requestTitle } from './request-details.tsx';
import type { Budget } from '#contract/resources/budget.ts';
import { AmountField } from '#web/forms/money/amount-field.tsx';
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx';
import { Callout } from '#web/ui/display/callout.tsx';
import { DescriptionList } from '#web/ui/display/section.tsx';
import { OrderFunds } from './order-funds.tsx';
import { Skeleton } from '#web/ui/display/skeleton.tsx';

export interface RequestDecisionValues {
  amount_usd: string;
  extent: 'once' | 'permanent';
  reason: string;
}

const REASON_MAX_LENGTH = 500;

/** Approves a request at the amount or price that it shows, or rejects it with a reason. */
export function RequestDecisionForm({ request, onClose }: { request: ApprovalRequest; onClose: () => void }) {
  const { id, kind, budget, permanent, created_by } = request;
  const isOrder = kind === 'order';
  const [rejecting, setRejecting] = useState(false);
  const estimate = useQuery({ ...requestEstimateQuery(id), enabled: isOrder });
  const decide = useDecide(request, onClose);
  const form = useDialogForm<RequestDecisionValues>({
    amount_usd: request.amount_usd,
    extent: permanent ? 'permanent' : 'once',
    reason: '',
  });
  const typed = parseAmount(useWatch({ control: form.control, name: 'amount_usd' })).amount;
  const priceUsd = estimate.data?.amount_usd ?? undefined;
  const isGone = isOrder ? estimate.data?.problem != null : budget === null;
  const rejects = rejecting || isGone;
  const amount = isOrder ? (priceUsd ?? request.amount_usd) : typed;
  const approval = (values: RequestDecisionValues) =>
    isOrder
      ? priceUsd !== undefined && { amount_usd: priceUsd }
      : { amount_usd: values.amount_usd.trim(), permanent: values.extent === 'permanent' };
  return (
    <FormDialog
      form={form}
      title={requestTitle(request)}
      description={describeRequest(request)}
      variant={rejects ? 'danger' : 'primary'}
      submitLabel={rejects ? 'Reject' : `Approve${amount === null ? '' : ` · ${formatMoney(amount)}`}`}
      aside={
        isGone ? null : (
          <Button variant="ghost" className="mr-auto" onClick={() => setRejecting(!rejecting)}>
            {rejecting ? 'Back' : 'Reject…'}
          </Button>
        )
      }
      onSubmit={(values) => {
        const reason = values.reason.trim() || null;
        return decide(rejects ? { decision: 'reject', reason } : { decision: 'approve', reason, ...approval(values) });
      }}
      onClose={onClose}
    >
      <RequestDetails request={request} price={<OrderPrice request={request} estimate={estimate} />} />
      {isOrder || rejects ? null : (
        <BudgetIncreaseFields control={form.control} interval={budget?.interval ?? 'month'} />
      )}
      <Field
        label="Reason"
        hint={`${created_by.name} sees it.`}
        error={form.formState.errors.reason?.message}
        optional={!rejects}
      >
        <TextArea
          rows={2}
          maxLength={REASON_MAX_LENGTH}
          {...form.register('reason', {
            validate: (reason) => !rejects || reason.trim() !== '' || 'Enter a reason.',
          })}
        />
      </Field>
    </FormDialog>
  );
}

/** Sends a decision, under the same key until its outcome is known, and shows what became of the request. */
function useDecide(request: ApprovalRequest, onClose: () => void) {
  const { mutateAsync } = useDecideRequest();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [sent] = useState(() => new Map<string, string>());
  const openResult = ({ generation_id, workflow_run_id, batch_id }: ApprovalRequest) => {
    if (generation_id) void navigate({ to: '/generations/$id', params: { id: generation_id } });
    else if (workflow_run_id) void navigate({ to: '/workflows/runs/$id', params: { id: workflow_run_id }, search: {} });
    else if (batch_id) void navigate({ to: '/batches/$id', params: { id: batch_id } });
  };
  return async (body: BodyInput<'decide_request'>) => {
    const text = JSON.stringify(body);
    const idempotencyKey = sent.get(text) ?? newIdempotencyKey();
    sent.set(text, idempotencyKey);
    try {
      const decided = await mutateAsync({ id: request.id, body, idempotency_key: idempotencyKey });
      const detail = describeRequest(request);
      const isPlaced = Boolean(decided.generation_id ?? decided.workflow_run_id ?? decided.batch_id);
      if (decided.status === 'approved')
        showToast({
          title: 'Approved',
          detail,
          tone: 'good',
          ...(isPlaced ? { action: { label: 'Open', onPress: () => openResult(decided) } } : {}),
        });
      else showToast({ title: 'Rejected', detail: decided.reason ?? detail });
      onClose();
    } catch (error) {
      void invalidate(client, requestEstimateQuery(request.id).queryKey);
      throw error;
    }
  };
}

interface BudgetIncreaseFieldsProps {
  control: Control<RequestDecisionValues>;
  interval: Budget['interval'];
}

/** By how much a budget is raised, and for how long. */
function BudgetIncreaseFields({ control, interval }: BudgetIncreaseFieldsProps) {
  const { field } = useController({ control, name: 'extent' });
  return (
    <>
      <AmountField control={control} name="amount_usd" label="Raise by" />
      <Field label="For" group>
        <SegmentedControl
          value={field.value}
          onChange={field.onChange}
          options={[
            { value: 'once', label: `This ${interval}` },
            { value: 'permanent', label: `Every ${interval}` },
          ]}
        />
      </Field>
    </>
  );
}

interface OrderPriceProps {
  request: ApprovalRequest;
  estimate: UseQueryResult<RequestEstimate>;
}

const formatPrice = (amountUsd: string, isBounded: boolean) =>
  `${isBounded ? '' : 'at least '}${formatMoney(amountUsd)}`;

/** The price when it was asked for beside the price now. */
function OrderPrice({ request: { amount_usd, order }, estimate: { data, error, refetch } }: OrderPriceProps) {
  const asked = formatPrice(amount_usd, order?.is_bounded ?? true);
  const now = data?.amount_usd ? formatPrice(data.amount_usd, data.is_bounded) : null;
  const isHigher = data?.amount_usd ? parseUsd(data.amount_usd) > parseUsd(amount_usd) : false;
  return (
    <div className="flex flex-col gap-3">
      <DescriptionList
        rows={[
          { name: 'When asked', value: asked },
          {
            name: 'Now',
            value: data || error ? (now ?? 'Unknown') : <Skeleton className="h-5 w-16" />,
          },
        ]}
      />
      {now !== null && now !== asked ? (
        <Callout tone={isHigher ? 'amber' : 'info'} title={isHigher ? 'The price rose' : 'The price changed'}>
          It was {asked} when it was asked for. Approve to order it for {now}.
        </Callout>
      ) : null}
      {data ? <OrderFunds {...data} /> : null}
      {data?.problem ? (
        <Callout tone="bad" title="It can’t be approved">
          {data.problem}
        </Callout>
      ) : null}
      {error ? (
        <Callout
          tone="amber"
          title="No current price"
          action={
            <Button size="sm" onClick={() => void refetch()}>
              Try again
            </Button>
          }
        >
          {error.message} Approved now, it is ordered for {asked} at most.
        </Callout>
      ) : null}
    </div>
  );
}
