import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSelector } from '@tanstack/react-store';
import { isTaskId } from '#contract/catalog.ts';
import { ApiError } from '#web/api/api-errors.ts';
import { isModelId } from '#web/api/known-models.ts';
import { listedGenerationQuery } from '#web/api/queries/generations.ts';
import { EmptyFrame } from '#web/features/create/feed/empty-frame.tsx';
import { orderOf } from '#web/features/create/feed/feed-entries.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { EmptyState, ErrorState } from '#web/ui/display/empty-state.tsx';
import { GenerationResult } from './generation-result.tsx';
import { OrderProblemView } from './order-problem-view.tsx';
import { OrderProgress } from './order-progress.tsx';
import { closeResults, orderStore, type PendingOrder } from './pending-orders.ts';
import { RequestedOrder } from './requested-order.tsx';
import { ActionsPlaceholder, type GroupedResultProps, ResultHeader, resultLayout } from './result-header.tsx';

/** @param id of an order, or of the generation that it became */
export function ResultView({ id, ...grouped }: GroupedResultProps & { id: string }) {
  const order = useSelector(orderStore, ({ orders }) => orders.find((each) => each.id === id));
  return order ? <OrderView orders={[order]} {...grouped} /> : <GenerationView id={id} {...grouped} />;
}

/** @param orders several where they were sent together and need one decision */
export function OrderView({ orders, ...grouped }: GroupedResultProps & { orders: readonly PendingOrder[] }) {
  const { maxHeight, isVariation = false } = grouped;
  const [order] = orders;
  if (!order) return null;
  if (order.problem) return <OrderProblemView orders={orders} problem={order.problem} />;
  if (order.requestId !== undefined) return <RequestedOrder orders={orders} requestId={order.requestId} />;
  const { task, model, input } = orderOf(order);
  const sideBySide = maxHeight !== undefined;
  return (
    <div className={resultLayout(sideBySide)}>
      {!isVariation && isTaskId(task) && (model === null || isModelId(model)) ? (
        <ResultHeader task={task} model={model} input={input} sideBySide={sideBySide} />
      ) : null}
      <OrderProgress item={order} label="Sending…" progress={null} maxHeight={maxHeight} />
      <ActionsPlaceholder sideBySide={sideBySide} />
    </div>
  );
}

function GenerationView({ id, ...grouped }: GroupedResultProps & { id: string }) {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(listedGenerationQuery(client, id));
  if (data) return <GenerationResult generation={data} {...grouped} />;
  if (error instanceof ApiError && error.status === 404)
    return (
      <EmptyState title="This belongs to another organization" actions={<Button onClick={closeResults}>Remove</Button>}>
        It was created with a key that can’t be used here.
      </EmptyState>
    );
  if (error)
    return (
      <ErrorState
        title="The result could not be loaded"
        actions={<Button onClick={() => void refetch()}>Try again</Button>}
      >
        It keeps running. You can find it in Generations.
      </ErrorState>
    );
  return (
    <EmptyFrame ratio={null} maxHeight={grouped.maxHeight} className="bg-sunken">
      Loading…
    </EmptyFrame>
  );
}
