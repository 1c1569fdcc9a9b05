import type { QueryClient } from '@tanstack/react-query';
import { ApiError } from '#web/api/api-errors.ts';
import { cacheGeneration, cacheGenerationRow, type GenerationRequest } from '#web/api/queries/generations.ts';
import { newIdempotencyKey } from '#web/api/queries/idempotency-key.ts';
import { createTogetherMutation } from '#web/api/queries/batches.ts';
import { tagMetadata } from '#web/forms/tags/tag-metadata.ts';
import { addRun, removeRun, type Run, updateRun } from '#web/features/create/runs/runs.ts';
import { type StartRunOptions, toRunProblem } from '#web/features/create/runs/start-generation-run.ts';

type OrderBody = GenerationRequest['body'];

const MAX_SEED = 2 ** 31 - 1;

/** Repeats an order. A seed that was typed is raised by 1 each time, so that the results differ. */
export function createVariations(body: OrderBody, count: number): OrderBody[] {
  const { seed } = body.input;
  return Array.from({ length: count }, (_, index) =>
    typeof seed === 'number' ? { ...body, input: { ...body.input, seed: (seed + index) % (MAX_SEED + 1) } } : body,
  );
}

/** Starts orders in one request: all of them or none. They are one group of runs. */
export function startTogether(
  client: QueryClient,
  bodies: readonly OrderBody[],
  { onInvalid }: Pick<StartRunOptions, 'onInvalid'> = {},
): void {
  const group = newIdempotencyKey();
  const runs = bodies.map((body, index): Run => ({
    id: `${group}-${index}`,
    order: { body: { ...tagMetadata(), ...body }, idempotency_key: group },
    startedAtMs: Date.now(),
    generation_id: null,
    problem: null,
    group,
    together: true,
  }));
  for (const run of runs) addRun(run);
  void submitTogether(client, runs, onInvalid);
}

async function submitTogether(
  client: QueryClient,
  runs: readonly Run[],
  onInvalid?: StartRunOptions['onInvalid'],
): Promise<void> {
  const idempotencyKey = runs[0]?.order.idempotency_key ?? '';
  const orders = runs.map(({ order }) => order.body);
  const cache = client.getMutationCache();
  const create = cache.build(client, client.defaultMutationOptions(createTogetherMutation));
  try {
    const { id, generations = [] } = await create.execute({ orders, idempotency_key: idempotencyKey });
    for (const [index, run] of runs.entries()) {
      const generation = generations[index];
      if (!generation) continue;
      updateRun(run.id, { generation_id: generation.id, batch_id: id, problem: null });
      cacheGenerationRow(client, generation);
    }
    if (generations[0]) cacheGeneration(client, generations[0]);
  } catch (error) {
    if (error instanceof ApiError && error.details.length > 0 && onInvalid) {
      for (const { id } of runs) removeRun(id);
      onInvalid(error.details.map(({ path, message }) => ({ path: path.replace(/^orders\.\d+\./, ''), message })));
      return;
    }
    const problem = toRunProblem(error);
    for (const { id } of runs) updateRun(id, { problem });
  }
}

/** Retries under the same idempotency key if the service may have accepted the request; else as a new group. */
export function retryTogether(client: QueryClient, runs: readonly Run[]): void {
  if (runs[0]?.problem?.unsure) {
    for (const { id } of runs) updateRun(id, { problem: null });
    void submitTogether(client, runs);
    return;
  }
  for (const { id } of runs) removeRun(id);
  startTogether(
    client,
    runs.map(({ order }) => order.body),
  );
}
