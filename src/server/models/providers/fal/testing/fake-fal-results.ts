import type { ServerResponse } from 'node:http';
import {
  type FakeUpstream,
  type FakeUpstreamJob,
  sendJson,
} from '#server/models/engine/testing/fake-upstream-server.ts';
import { findMaskFault, type MaskFault } from '#server/models/engine/testing/mask-fault.ts';
import { billUnits } from './fake-fal-catalog.ts';
import type { FakeFalModel } from './fake-fal-models.ts';
import { type FakeFalRecord, findModel } from './fake-fal-record.ts';

export function requestUrls(upstream: FakeUpstream, { endpoints }: FakeFalRecord, { id }: FakeUpstreamJob) {
  const app = endpoints.get(id)?.split('/').slice(0, 2).join('/');
  const url = `${upstream.origin}/queue/${app}/requests/${id}`;
  return { request_id: id, response_url: url, status_url: `${url}/status`, cancel_url: `${url}/cancel` };
}

interface QueueRequest {
  id: string;
  part: string;
  method: string | undefined;
  searchParams: URLSearchParams;
}

export async function serveRequest(
  upstream: FakeUpstream,
  record: FakeFalRecord,
  { id, part, method, searchParams }: QueueRequest,
  response: ServerResponse,
): Promise<void> {
  const job = upstream.findJob(id);
  if (!job)
    return sendJson(response, 404, part === '/cancel' ? { status: 'NOT_FOUND' } : { detail: 'Request not found' });
  const isActive = job.state === 'queued' || job.state === 'running';
  if (part === '/cancel' && method === 'PUT') {
    if (!isActive) return sendJson(response, 400, { status: 'ALREADY_COMPLETED' });
    job.state = 'canceled';
    return sendJson(response, 202, { status: 'CANCELLATION_REQUESTED' });
  }
  if (method !== 'GET') return sendJson(response, 405, { detail: 'Method Not Allowed' });
  if (part === '/status') return sendStatus(upstream, record, job, searchParams.get('logs') === '1', response);
  if (isActive) return sendJson(response, 400, { detail: 'Request is still in progress' });
  await sendResult(upstream, record, job, response);
}

function sendStatus(
  upstream: FakeUpstream,
  record: FakeFalRecord,
  job: FakeUpstreamJob,
  withLogs: boolean,
  response: ServerResponse,
): void {
  const urls = requestUrls(upstream, record, job);
  if (job.state === 'queued') return sendJson(response, 202, { status: 'IN_QUEUE', queue_position: 1, ...urls });
  const timestamp = '2026-11-22T10:00:00Z';
  const lines = record.logs.map((message) => ({ message, level: 'INFO', source: 'USER', timestamp }));
  const logs = withLogs ? lines : null;
  if (job.state === 'running') return sendJson(response, 202, { status: 'IN_PROGRESS', logs, ...urls });
  const failure = { error: 'Runner disconnected', error_type: 'runner_disconnected' };
  const more = job.state === 'failed' ? failure : {};
  sendJson(response, 200, { status: 'COMPLETED', logs, metrics: { inference_time: 1.5 }, ...urls, ...more });
}

/** The file behind an address that the fake gave for an upload. */
const uploadedFile = ({ uploads }: FakeFalRecord, url: unknown): Buffer | undefined =>
  uploads[Number(/\/files\/in-(\d+)$/.exec(String(url))?.[1])]?.bytes;

const MASK_MESSAGES: Readonly<Record<MaskFault, string>> = {
  unreadable: 'Failed to load the image. Please ensure the image file is not corrupted.',
  size: 'The mask must have the same size as the image.',
  polarity: 'The mask does not mark what this model changes.',
};

/** The 422 of a model that can't use a mask, as fal documents the errors of models. */
async function rejectMask(record: FakeFalRecord, model: FakeFalModel | undefined, input: Record<string, unknown>) {
  const { mask, picture = '', polarity = 'white' } = model?.mask ?? {};
  const file = mask === undefined ? undefined : uploadedFile(record, input[mask]);
  const fault = file && (await findMaskFault(file, uploadedFile(record, input[picture]), polarity));
  if (!fault) return null;
  const type = fault === 'unreadable' ? 'image_load_error' : 'value_error';
  return { detail: [{ loc: ['body', mask], msg: MASK_MESSAGES[fault], type, url: 'https://docs.fal.ai/errors' }] };
}

async function sendResult(
  upstream: FakeUpstream,
  record: FakeFalRecord,
  job: FakeUpstreamJob,
  response: ServerResponse,
): Promise<void> {
  const { extra } = record;
  const model = findModel(record, record.endpoints.get(job.id) ?? '');
  const timesRead = record.reads.get(job.id) ?? 0;
  record.reads.set(job.id, timesRead + 1);
  const input = record.submits[upstream.jobs.indexOf(job)]?.input ?? {};
  const billable_units = record.billable_units ?? (model ? billUnits(model, input, record.billing, timesRead) : null);
  const headers: Record<string, string> = billable_units === null ? {} : { 'x-fal-billable-units': billable_units };
  const failed = (status: number, detail: string, error_type: string): void =>
    sendJson(response, status, { detail, error_type }, { 'x-fal-error-type': error_type, ...headers });
  if (job.state === 'failed') return failed(503, 'Runner disconnected', 'runner_disconnected');
  if (job.state === 'canceled') return failed(499, 'Request was cancelled', 'client_cancelled');
  if (upstream.refuses_content) {
    const msg = 'The content could not be processed because it was flagged by a content checker.';
    const detail = [
      { loc: ['body', 'prompt'], msg, type: 'content_policy_violation', url: 'https://docs.fal.ai/errors' },
    ];
    return sendJson(response, 422, { detail }, { 'x-fal-retryable': 'false', ...headers });
  }
  const rejection = await rejectMask(record, model, input);
  if (rejection) return sendJson(response, 422, rejection, { 'x-fal-retryable': 'false', ...headers });
  const files = upstream.outputs.map((_bytes, index) => ({
    url: upstream.output_url ?? `${upstream.origin}/files/${index}`,
    content_type: 'application/octet-stream',
  }));
  const isVideo = /-to-video$|lipsync/.test(record.endpoints.get(job.id) ?? '');
  const result = model ? model.result(files) : isVideo ? { video: files[0] } : { images: files, seed: 1 };
  sendJson(response, 200, { ...result, ...extra }, headers);
}
