import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseUsd } from '#contract/money/money.ts';
import { EngineError, type EngineResult } from '#server/models/engine/engine.ts';
import {
  ResponseLostError,
  UpstreamBusyError,
  type UpstreamAdapter,
  type UpstreamState,
} from '#server/models/engine/upstream.ts';
import type { FakeProviderServer } from './fake-provider-server.ts';

interface JobResponse {
  id: string;
  state: 'running' | 'done' | 'failed' | 'canceled' | 'unsure';
  progress?: number;
  outputs?: string[];
  cost_usd?: string | null;
  error?: string;
}

/** Speaks the protocol of `startFakeProviderServer`. @param pollAfterMs null: the runner backs off on its own */
export function createFakeProviderAdapter(
  studio: () => FakeProviderServer,
  options: { supports_submit_key?: boolean; pollAfterMs?: number | null } = {},
): UpstreamAdapter & { pollAfterMs: number | null; supports_submit_key: boolean } {
  const call = async (path: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(studio().base_url + path, init).catch((cause: unknown) => {
      throw new ResponseLostError('The upstream studio hung up.', { cause });
    });
    if (response.ok) return response;
    if (response.status === 429)
      throw new UpstreamBusyError('The upstream studio has too much to do.', { retry_after_ms: 1 });
    throw new EngineError(
      'engine_failed',
      ((await response.json()) as JobResponse).error ?? 'The provider rejected the request.',
      {
        retryable: true,
      },
    );
  };
  // Invalid JSON throws, which the runner treats as a bug of the adapter.
  const callJson = async (path: string, init: RequestInit) => (await (await call(path, init)).json()) as JobResponse;

  async function save(paths: readonly string[], workDir: string, signal: AbortSignal): Promise<EngineResult> {
    const files = paths.map((_, index) => join(workDir, `output-${index}.png`));
    for (const [index, path] of paths.entries()) {
      const bytes = await (await call(path, { signal })).arrayBuffer();
      await writeFile(files[index] ?? '', Buffer.from(bytes));
    }
    return { files, data: null };
  }

  async function stateOf(job: JobResponse, workDir: string, signal: AbortSignal): Promise<UpstreamState> {
    const handle = { id: job.id };
    const cost_micro_usd = typeof job.cost_usd === 'string' ? parseUsd(job.cost_usd) : null;
    if (job.state === 'failed' || job.state === 'canceled') {
      const error = new EngineError('engine_failed', job.error ?? `It was ${job.state}.`, { retryable: true });
      error.cost = cost_micro_usd === null ? null : { cost_micro_usd, cost_basis: 'reported' };
      throw error;
    }
    if (job.state === 'running') {
      return { status: 'accepted', handle, progress: job.progress ?? null, pollAfterMs: adapter.pollAfterMs };
    }
    const result = await save(job.outputs ?? [], workDir, signal);
    if (job.state === 'done') return { status: 'succeeded', result, cost_micro_usd, handle };
    return { status: 'unclear', reason: 'The studio asks for a person.', result, cost_micro_usd, handle };
  }

  const adapter = {
    supports_submit_key: options.supports_submit_key ?? false,
    pollAfterMs: options.pollAfterMs === undefined ? 5 : options.pollAfterMs,
    async submit({ submit_key, input, workDir, signal }) {
      const body = JSON.stringify({ key: submit_key, prompt: input['prompt'] });
      return stateOf(await callJson('/jobs', { method: 'POST', body, signal }), workDir, signal);
    },
    async poll({ workDir, signal }, handle) {
      return stateOf(await callJson(`/jobs/${String(handle['id'])}`, { signal }), workDir, signal);
    },
    async cancel(handle, signal) {
      await callJson(`/jobs/${String(handle['id'])}/cancel`, { method: 'POST', signal });
    },
  } satisfies UpstreamAdapter & { pollAfterMs: number | null };
  return adapter;
}
