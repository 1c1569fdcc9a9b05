import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import type { ApprovalRequest } from '#contract/resources/request.ts';
import { BudgetMeter } from '#web/budgets/budget-meter.tsx';
import { REQUEST_STATUS_LABELS } from '#web/budgets/describe-request.ts';
import { formatBudgetScope, INTERVAL_ADJECTIVES } from '#web/budgets/scope-name.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { useModelName } from '#web/api/model-names.ts';
import { tagsQuery } from '#web/api/queries/settings.ts';
import { starterQuery } from '#web/api/queries/workflow-starters.ts';
import { describeFields, describeInput } from '#web/forms/inputs/describe-input.ts';
import { InputRows } from '#web/forms/inputs/input-section.tsx';
import { Badge } from '#web/ui/display/badge.tsx';
import { Money } from '#web/api/money.tsx';
import { ExactTime } from '#web/ui/display/relative-time.tsx';
import { DescriptionList, Section } from '#web/ui/display/section.tsx';
import type { FieldSpec } from '#contract/task.ts';
import { readWorkflowInput } from '#contract/workflows/workflow-input.ts';

type Order = NonNullable<ApprovalRequest['order']>;

export const requestTitle = ({ kind }: ApprovalRequest): string =>
  kind === 'budget' ? 'More of a budget' : 'Order above the limit';

/** Who asks for what, and how it was decided. */
export function RequestDetails({ request, price }: { request: ApprovalRequest; price?: ReactNode }) {
  const { order, budget, note, created_by, created_at, amount_usd } = request;
  const tags = Object.entries(order?.tags ?? {});
  const { data: defined } = useQuery({ ...tagsQuery, enabled: tags.length > 0 });
  return (
    <div className="flex flex-col gap-6">
      {/* Gets the focus, because the first field is below everything that is to be read. */}
      <blockquote
        dir="auto"
        tabIndex={-1}
        data-autofocus=""
        className="border-l-2 border-line-strong pl-3 whitespace-pre-wrap wrap-anywhere outline-none"
      >
        {note}
      </blockquote>
      <DescriptionList
        rows={[
          { name: 'Requested by', value: created_by.name },
          { name: 'Requested', value: <ExactTime at={created_at} /> },
          ...tags.map(([tag, value]) => ({ name: defined?.find(({ name }) => name === tag)?.label ?? tag, value })),
          ...decisionRows(request),
        ]}
      />
      {budget ? (
        <Section title={`${INTERVAL_ADJECTIVES[budget.interval]} budget of ${formatBudgetScope(budget)}`}>
          <BudgetMeter budget={budget} />
        </Section>
      ) : null}
      {order ? (
        <>
          <Section title="Price">
            {price ?? <DescriptionList rows={[{ name: 'When asked', value: <Money amount_usd={amount_usd} /> }]} />}
          </Section>
          <OrderDetails order={order} />
        </>
      ) : null}
    </div>
  );
}

function decisionRows({ status, reason, decided_by, decided_at }: ApprovalRequest) {
  if (status === 'pending') return [];
  const { label, tone } = REQUEST_STATUS_LABELS[status];
  const decider = decided_by?.name ?? 'The service';
  return [
    { name: 'Decision', value: <Badge tone={tone}>{label}</Badge> },
    { name: status === 'canceled' ? 'Withdrawn by' : 'Decided by', value: decider },
    ...(decided_at ? [{ name: 'Decided', value: <ExactTime at={decided_at} /> }] : []),
    ...(reason ? [{ name: 'Reason', value: reason }] : []),
  ];
}

function OrderDetails({ order }: { order: Order }) {
  const { task, model, starter_slug, retry_of, input } = order;
  const names = useCatalogNames();
  const nameModel = useModelName();
  const fields = useStarterFields(starter_slug);
  return (
    <>
      <Section title="Order">
        <DescriptionList
          rows={[
            ...(task ? [{ name: 'Task', value: names.task(task) }] : []),
            ...(model ? [{ name: 'Model', value: nameModel(model) }] : []),
            ...(starter_slug ? [{ name: 'Workflow', value: <StarterLink slug={starter_slug} /> }] : []),
            ...(retry_of ? [{ name: 'Retry of', value: <RetriedLink id={retry_of} /> }] : []),
          ]}
        />
      </Section>
      <InputRows rows={task ? describeInput(task, model, input) : describeFields(fields, input)} />
    </>
  );
}

const link = 'underline underline-offset-2 hover:text-ink';

function StarterLink({ slug }: { slug: string }) {
  const { data } = useQuery(starterQuery(slug));
  return (
    <Link to="/workflows/$slug" params={{ slug }} search={{}} className={link}>
      {data?.name ?? slug}
    </Link>
  );
}

const RetriedLink = ({ id }: { id: string }) =>
  id.startsWith('run_') ? (
    <Link to="/workflows/runs/$id" params={{ id }} search={{}} className={link}>
      Earlier run
    </Link>
  ) : (
    <Link to="/generations/$id" params={{ id }} className={link}>
      Earlier generation
    </Link>
  );

const NO_FIELDS: readonly FieldSpec[] = [];

/** The input fields of a workflow; none while they are unknown. */
function useStarterFields(slug: string | null): readonly FieldSpec[] {
  const { data } = useQuery({ ...starterQuery(slug ?? ''), enabled: slug !== null });
  return useMemo(() => {
    const read = data && readWorkflowInput(data.input_schema);
    return read?.ok ? read.contract.fields : NO_FIELDS;
  }, [data]);
}
