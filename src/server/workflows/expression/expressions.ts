import { Worker } from 'node:worker_threads';
import type { FillAnswer, FillRequest, Filled, Ready } from './expression-thread.ts';
import type { Scope, Template } from './template.ts';

/** Works expressions out, in a thread of its own: they are other people's, and may run away or take all memory. */
export interface Expressions {
  /**
   * @param budget of many requests together; what is over it is not worked out
   * @returns one for each template, in order: plain JSON, undefined where it gives nothing, or what is wrong with it
   */
  workOut(templates: readonly Template[], scope: Scope, budget?: Budget): Promise<Filled[]>;
}

/** Time for work, apart from waiting for it: how busy the machine is says nothing of the expressions. */
export interface Budget {
  left_ms: number;
}

/** Of one request, once the thread is there; an evaluator that minds its own bounds needs none of it. */
const DEADLINE_MS = 5_000;
const START_MS = 30_000;
/** Long enough for steps that follow on each other, short enough to give the memory back. */
const IDLE_MS = 60_000;
const MEMORY = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

const TOO_MUCH = 'An expression takes too long, or too much memory.';

interface Waiting {
  request: FillRequest;
  budget: Budget | undefined;
  resolve(filled: Filled[]): void;
  reject(error: unknown): void;
}

export function createExpressions(deadline_ms = DEADLINE_MS): Expressions {
  const queue: Waiting[] = [];
  let thread: Worker | undefined;
  let is_ready = false;
  let current: Waiting | undefined;
  let timer: NodeJS.Timeout | undefined;
  let last_id = 0;

  function hire(): Worker {
    const worker = new Worker(new URL('./expression-thread.ts', import.meta.url), { resourceLimits: MEMORY });
    is_ready = false;
    worker.on('message', (message: FillAnswer | Ready) => {
      if (thread !== worker) return;
      if (message === 'ready') {
        is_ready = true;
        return arm();
      }
      const { id, filled, took_ms } = message;
      if (current?.request.id !== id) return;
      if (current.budget) current.budget.left_ms -= took_ms;
      end((waiting) => waiting.resolve(filled));
    });
    worker.on('error', (error: NodeJS.ErrnoException) => {
      if (thread !== worker) return;
      thread = undefined;
      end((waiting) => (error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? refuse(waiting) : waiting.reject(error)));
    });
    return worker;
  }
  function refuse({ request, resolve }: Waiting): void {
    resolve(request.templates.map(() => ({ ok: false, message: TOO_MUCH })));
  }
  function end(tell: (waiting: Waiting) => void): void {
    const ended = current;
    current = undefined;
    clearTimeout(timer);
    if (ended) tell(ended);
    next();
  }
  function dismiss(): void {
    void thread?.terminate();
    thread = undefined;
  }
  function next(): void {
    if (current) return;
    current = queue.shift();
    if (!current) {
      thread?.unref();
      timer = setTimeout(dismiss, IDLE_MS).unref();
      return;
    }
    if (current.budget && current.budget.left_ms <= 0) return end(refuse);
    thread ??= hire();
    thread.ref();
    thread.postMessage(current.request, []);
    arm();
  }
  /** A busy machine may take its time to start the thread; that says nothing of the expression. */
  function arm(): void {
    if (!current) return;
    clearTimeout(timer);
    const tell = is_ready
      ? refuse
      : ({ reject }: Waiting) => reject(new Error('The thread for expressions did not start.'));
    timer = setTimeout(
      () => {
        dismiss();
        end(tell);
      },
      is_ready ? deadline_ms : START_MS,
    );
  }

  const ask = (templates: readonly Template[], scope: Scope, budget: Budget | undefined): Promise<Filled[]> =>
    new Promise((resolve, reject) => {
      last_id += 1;
      queue.push({ request: { id: last_id, templates, scope }, budget, resolve, reject });
      if (current) return;
      clearTimeout(timer);
      next();
    });

  return {
    async workOut(templates, scope, budget) {
      const open = templates.filter((template) => !isPlain(template));
      const filled = open.length > 0 ? await ask(open, scope, budget) : [];
      return templates.flatMap((template): Filled[] => {
        if (isPlain(template)) return [{ ok: true, value: template.json }];
        const next_filled = filled.shift();
        return next_filled ? [next_filled] : [];
      });
    },
  };
}

/** It holds no expression. */
const isPlain = (template: Template): template is { json: unknown } =>
  'json' in template && !JSON.stringify(template.json)?.includes('{{');
