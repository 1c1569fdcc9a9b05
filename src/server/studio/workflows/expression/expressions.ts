import { ApiError } from '#server/platform/core/api-error.ts';
import type { FilledTemplate, ThreadResult, ThreadTask } from './expression-thread.ts';
import { type ExpressionWorker, RunawayError, createExpressionWorker } from './expression-worker.ts';
import type { TemplateNames } from './template-names.ts';
import type { Scope, Template } from './template.ts';

/**
 * Separate threads, because expressions may loop forever or exhaust the memory. One key uses at most one thread, so
 * slow expressions of a key leave the other thread free.
 */
export interface Expressions {
  /** One result per template: plain JSON, undefined or an error. @throws {ApiError} 429 `rate_limit_exceeded` */
  evaluate(
    templates: readonly Template[],
    scope: Scope,
    usage: ExpressionUsage & { budget?: ExpressionBudget },
  ): Promise<FilledTemplate[]>;
  /** One result per template, in order. @throws {ApiError} 429 `rate_limit_exceeded`; 503 if not read in time */
  readNames(templates: readonly Template[], usage: ExpressionUsage): Promise<TemplateNames[]>;
}

export interface ExpressionUsage {
  key_id: string;
  /** Steps of runs wait for their turn instead of being refused, because a process advances only a few runs at once. */
  isRun?: boolean;
}

/** Working time for several requests together, without the time in the queue. */
export interface ExpressionBudget {
  remainingMs: number;
}

const DEADLINE_MS = 5_000;
const THREADS = 2;
/** Per key. Each request has one evaluation in the queue at a time, so only a flood reaches this limit. */
const MAX_WAITING = 20;
const RETRY_AFTER_SECONDS = 5;

const LIMIT_MESSAGE = 'An expression takes too long or uses too much memory.';

interface QueuedRequest {
  task: ThreadTask;
  budget: ExpressionBudget | undefined;
  resolve(result: ThreadResult): void;
  reject(error: unknown): void;
}

export function createExpressions(deadlineMs = DEADLINE_MS): Expressions {
  const queue = createFairQueue<QueuedRequest>();
  const idle: ExpressionWorker[] = Array.from({ length: THREADS }, () => createExpressionWorker(deadlineMs));
  const busyKeys = new Set<string>();

  function runNext(): void {
    // The thread used last is at the end, so a second thread starts only when needed.
    const worker = idle.pop();
    if (!worker) return;
    const dequeued = queue.dequeue((key) => busyKeys.has(key));
    if (!dequeued) {
      idle.push(worker);
      return;
    }
    const { key, item } = dequeued;
    busyKeys.add(key);
    void runOne(worker, deadlineMs, item).finally(() => {
      busyKeys.delete(key);
      idle.push(worker);
      runNext();
    });
    runNext();
  }

  const request = (
    task: ThreadTask,
    { key_id, isRun }: ExpressionUsage,
    budget?: ExpressionBudget,
  ): Promise<ThreadResult> =>
    new Promise((resolve, reject) => {
      if (!isRun && queue.count(key_id) >= MAX_WAITING) return reject(tooManyWaitingError());
      queue.add(key_id, { task, budget, resolve, reject });
      runNext();
    });

  return {
    async evaluate(templates, scope, { budget, ...usage }) {
      const withExpressions = templates.filter((template) => !isPlain(template));
      const task = { do: 'fill', templates: withExpressions, scope } as const;
      const { filled } =
        withExpressions.length > 0
          ? await request(task, usage, budget).catch(toFailedFill(withExpressions))
          : EMPTY_RESULT;
      return merge(templates, filled, ({ json }) => ({ ok: true, value: json }));
    },
    async readNames(templates, usage) {
      const withExpressions = templates.filter((template) => !isPlain(template));
      const task = { do: 'read', templates: withExpressions } as const;
      const { names } = withExpressions.length > 0 ? await request(task, usage).catch(rejectReading) : EMPTY_RESULT;
      return merge(templates, names, () => ({ ok: true, names: NO_NAMES }));
    },
  };
}

const EMPTY_RESULT = { filled: [], names: [] };
const NO_NAMES = {
  steps: new Set<string>(),
  input: new Set<string>(),
  item: false,
  allSteps: false,
  allInput: false,
};

async function runOne(
  worker: ExpressionWorker,
  deadlineMs: number,
  { task, budget, resolve, reject }: QueuedRequest,
): Promise<void> {
  if (budget && budget.remainingMs <= 0) return reject(new RunawayError('The budget is used up.'));
  try {
    const result = await worker.run(task);
    if (budget) budget.remainingMs -= result.duration_ms;
    resolve(result);
  } catch (error) {
    if (budget && error instanceof RunawayError) budget.remainingMs -= deadlineMs;
    reject(error);
  }
}

const toFailedFill = (templates: readonly Template[]) => (error: unknown) => {
  if (!(error instanceof RunawayError)) throw error;
  return { filled: templates.map((): FilledTemplate => ({ ok: false, message: LIMIT_MESSAGE })) };
};

function rejectReading(error: unknown): never {
  if (!(error instanceof RunawayError)) throw error;
  const message = 'The workflow could not be parsed in time. Try again in a moment.';
  throw new ApiError('service_unavailable', message, { retry_after_seconds: RETRY_AFTER_SECONDS, cause: error });
}

const tooManyWaitingError = (): ApiError =>
  new ApiError(
    'rate_limit_exceeded',
    `This key has ${MAX_WAITING} requests with workflow expressions waiting. Try again in ${RETRY_AFTER_SECONDS} seconds.`,
    { retry_after_seconds: RETRY_AFTER_SECONDS },
  );

function merge<Result>(
  templates: readonly Template[],
  results: readonly Result[],
  ofPlain: (template: { json: unknown }) => Result,
): Result[] {
  const rest = [...results];
  return templates.flatMap((template): Result[] => {
    if (isPlain(template)) return [ofPlain(template)];
    const result = rest.shift();
    return result === undefined ? [] : [result];
  });
}

const isPlain = (template: Template): template is { json: unknown } =>
  'json' in template && !JSON.stringify(template.json)?.includes('{{');

/** A queue in which keys take turns, so that a key with many items delays another key by one item at most. */
interface FairQueue<Item> {
  add(key: string, item: Item): void;
  /** Returns the next item of the first key in turn for which `isBusy` is false. */
  dequeue(isBusy: (key: string) => boolean): { key: string; item: Item } | undefined;
  count(key: string): number;
  readonly isEmpty: boolean;
}

function createFairQueue<Item>(): FairQueue<Item> {
  /** In the order of turns. */
  const waiting = new Map<string, Item[]>();
  return {
    add(key, item) {
      const items = waiting.get(key);
      if (items) items.push(item);
      else waiting.set(key, [item]);
    },
    dequeue(isBusy) {
      for (const [key, [item, ...others]] of waiting) {
        if (item === undefined || isBusy(key)) continue;
        waiting.delete(key);
        if (others.length > 0) waiting.set(key, others);
        return { key, item };
      }
      return undefined;
    },
    count: (key) => waiting.get(key)?.length ?? 0,
    get isEmpty() {
      return waiting.size === 0;
    },
  };
}
