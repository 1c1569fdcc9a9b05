import { parentPort } from 'node:worker_threads';
import { assertGuardRuns } from '#server/models/engine/mapping/expression.ts';
import { type TemplateNames, readTemplateNames } from './template-names.ts';
import { type Scope, type Template, TemplateError, fillTemplate } from './template.ts';

export type ThreadTask =
  | { do: 'fill'; templates: readonly Template[]; scope: Scope }
  | { do: 'read'; templates: readonly Template[] };
export interface ThreadRequest {
  id: number;
  task: ThreadTask;
}

export type FilledTemplate = { ok: true; value: unknown } | { ok: false; message: string };
/** The list of the other kind of task is empty. */
export interface ThreadResult {
  filled: FilledTemplate[];
  names: TemplateNames[];
  duration_ms: number;
}
export interface ThreadResponse {
  id: number;
  result: ThreadResult;
}

export type Ready = 'ready';

/** Entry of a thread that evaluates untrusted expressions, one request at a time. */
const port = parentPort;
if (!port) throw new Error('Expressions are evaluated in a worker thread only.');

port.on('message', ({ id, task }: ThreadRequest) => void respond(id, task));

async function respond(id: number, task: ThreadTask): Promise<void> {
  const startedMs = performance.now();
  const result = await handle(task);
  const tookMs = performance.now() - startedMs;
  port?.postMessage({ id, result: { ...result, duration_ms: tookMs } } satisfies ThreadResponse, []);
}

await assertGuardRuns();
port.postMessage('ready' satisfies Ready, []);

async function handle(task: ThreadTask): Promise<Omit<ThreadResult, 'duration_ms'>> {
  if (task.do === 'read') return { filled: [], names: readTemplateNames(task.templates) };
  return { filled: await Promise.all(task.templates.map((template) => fillOne(template, task.scope))), names: [] };
}

async function fillOne(template: Template, scope: Scope): Promise<FilledTemplate> {
  try {
    return { ok: true, value: await fillTemplate(template, scope) };
  } catch (error) {
    if (error instanceof TemplateError) return { ok: false, message: error.message };
    throw error;
  }
}
