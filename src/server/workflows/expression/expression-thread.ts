import { parentPort } from 'node:worker_threads';
import { type Scope, type Template, TemplateError, fillTemplate } from './template.ts';

export interface FillRequest {
  id: number;
  templates: readonly Template[];
  scope: Scope;
}
/** One for each template, in order. */
export type Filled = { ok: true; value: unknown } | { ok: false; message: string };
export interface FillAnswer {
  id: number;
  filled: Filled[];
  /** At work, however long it waited before. */
  took_ms: number;
}

/** Said once, before any answer. */
export type Ready = 'ready';

/** The entry of the thread that works expressions out, one request after another. */
const port = parentPort;
if (!port) throw new Error('Expressions are worked out in a worker thread only.');

port.on('message', ({ id, templates, scope }: FillRequest) => {
  const begun_ms = performance.now();
  void Promise.all(templates.map((template) => fillOne(template, scope))).then((filled) =>
    port.postMessage({ id, filled, took_ms: performance.now() - begun_ms } satisfies FillAnswer, []),
  );
});

port.postMessage('ready' satisfies Ready, []);

async function fillOne(template: Template, scope: Scope): Promise<Filled> {
  try {
    return { ok: true, value: await fillTemplate(template, scope) };
  } catch (error) {
    if (error instanceof TemplateError) return { ok: false, message: error.message };
    throw error;
  }
}
