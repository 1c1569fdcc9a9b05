import type { RequestListener, ServerResponse } from 'node:http';
import { findContentProblem, findInteractionProblem, findTextProblem } from './gemini-request-rules.ts';
import {
  readRequestBody,
  sendJson,
  type FakeUpstream,
  type FakeUpstreamJob,
} from '#server/models/engine/testing/fake-upstream-server.ts';

export interface FakeGeminiRequest {
  path: string;
  body: Record<string, unknown>;
}

/** Behaviors beyond those of `FakeUpstream`. */
export interface FakeGeminiOptions {
  /** The Files API answers `PROCESSING` this often. */
  processing_answers: number;
  /** Replaces the body of a `generateContent` response. */
  content: unknown;
  /** Replaces properties of a completed interaction. */
  interaction: Readonly<Record<string, unknown>>;
}

export const createFakeGeminiOptions = (): FakeGeminiOptions => ({
  processing_answers: 0,
  content: null,
  interaction: {},
});

const STATUS = {
  queued: 'queued',
  running: 'in_progress',
  succeeded: 'completed',
  failed: 'failed',
  canceled: 'cancelled',
};

/** Fake of the Gemini API: models, `generateContent`, Interactions and Files, as js-genai 3.1.0 describes them. */
export function createFakeGeminiHandler(
  upstream: FakeUpstream,
  sent: FakeGeminiRequest[] = [],
  options = createFakeGeminiOptions(),
): RequestListener {
  return (request, response) => {
    const { pathname: path } = new URL(request.url ?? '', upstream.origin);
    const serve = async () => {
      const key = request.headers['x-goog-api-key'];
      if (key !== upstream.api_key) return sendKeyError(response, String(key));
      const text = String(await readRequestBody(request));
      const body: Record<string, unknown> = text ? JSON.parse(text) : {};
      const call = `${request.method} ${path}`;
      const [, model] = /^POST \/models\/([\w.-]+):generateContent$/.exec(call) ?? [];
      if (call === 'GET /models') return sendJson(response, 200, { models: [{ name: 'models/gemini-3-pro-image' }] });
      if (model) return serveContent(upstream, options, sent, { path, body }, model, response);
      if (call === 'POST /interactions') return createInteraction(upstream, sent, { path, body }, response);
      if (path.startsWith('/interactions/')) return serveInteraction(upstream, options, call, response);
      serveFile(upstream, options, call, request.url ?? '', response);
    };
    serve().catch(() => response.destroy());
  };
}

function serveContent(
  upstream: FakeUpstream,
  options: FakeGeminiOptions,
  sent: FakeGeminiRequest[],
  request: FakeGeminiRequest,
  model: string,
  response: ServerResponse,
): void {
  sent.push(request);
  if (model.startsWith('gemini-3.5-flash')) return serveText(upstream, options, request, response);
  const problem = findContentProblem(model, request.body);
  if (problem) return sendError(response, 400, 'INVALID_ARGUMENT', problem);
  if (options.content !== null) return sendJson(response, 200, options.content);
  upstream.createJob(null).state = 'succeeded';
  if (upstream.refuses_content)
    return sendJson(response, 200, { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } });
  const images = upstream.outputs.map((bytes) => ({
    inlineData: { mimeType: 'image/png', data: bytes.toString('base64') },
  }));
  const draft = { thought: true, inlineData: { mimeType: 'image/png', data: 'ZHJhZnQ=' } };
  sendJson(response, 200, {
    candidates: [{ content: { role: 'model', parts: [draft, ...images] }, finishReason: 'STOP' }],
    usageMetadata: {
      promptTokenCount: 100,
      candidatesTokenCount: 1130,
      thoughtsTokenCount: 200,
      totalTokenCount: 1430,
      candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1120 }],
    },
    modelVersion: model,
    responseId: 'response-1',
  });
}

function serveText(
  upstream: FakeUpstream,
  options: FakeGeminiOptions,
  { body }: FakeGeminiRequest,
  response: ServerResponse,
): void {
  const problem = findTextProblem(body);
  if (problem) return sendError(response, 400, 'INVALID_ARGUMENT', problem);
  if (options.content !== null) return sendJson(response, 200, options.content);
  if (upstream.refuses_content)
    return sendJson(response, 200, {
      promptFeedback: { blockReason: 'PROHIBITED_CONTENT' },
      usageMetadata: { promptTokenCount: 200, totalTokenCount: 200 },
    });
  const thought = { text: 'A tea pot. What would help?', thought: true };
  const parts = [thought, { text: upstream.answer ?? 'A teapot of ' }, { text: upstream.answer ? '' : 'blue glass' }];
  sendJson(response, 200, {
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 200, candidatesTokenCount: 40, thoughtsTokenCount: 10, totalTokenCount: 250 },
  });
}

function createInteraction(
  upstream: FakeUpstream,
  sent: FakeGeminiRequest[],
  request: FakeGeminiRequest,
  response: ServerResponse,
): void {
  sent.push(request);
  const problem = findInteractionProblem(request.body);
  if (problem) return sendInteractionError(response, problem);
  const { id } = upstream.createJob(null);
  sendJson(response, 200, { id: `v1_${id}`, object: 'interaction', model: request.body['model'], status: 'queued' });
}

function serveInteraction(
  upstream: FakeUpstream,
  options: FakeGeminiOptions,
  call: string,
  response: ServerResponse,
): void {
  const [, method, id = '', part] = /^(\w+) \/interactions\/v1_([\w-]+)(\/cancel)?$/.exec(call) ?? [];
  const job = upstream.findJob(id);
  if (!job) return sendInteractionError(response, 'Invalid interaction name.');
  if (method === 'GET' && !part) return sendJson(response, 200, interactionOf(upstream, options, job));
  if (method !== 'POST' || !part) return sendInteractionError(response, 'Unknown method.');
  if (job.state !== 'queued' && job.state !== 'running')
    return sendInteractionError(response, 'Only running background interactions can be cancelled.');
  job.state = 'canceled';
  sendJson(response, 200, interactionOf(upstream, options, job));
}

function interactionOf(upstream: FakeUpstream, options: FakeGeminiOptions, { id, state }: FakeUpstreamJob) {
  const base = { id: `v1_${id}`, object: 'interaction', status: STATUS[state] };
  if (state === 'failed')
    return { ...base, errors: [{ code: 'internal', message: 'The video could not be rendered' }] };
  if (state !== 'succeeded') return base;
  const uri = upstream.output_url ?? `${upstream.origin}/files/${id}`;
  const video = { type: 'video', mime_type: 'video/mp4', uri };
  const refusal = { type: 'text', text: 'I cannot make this video.' };
  const content = upstream.refuses_content ? [refusal] : upstream.outputs.slice(0, 1).map(() => video);
  const usage = {
    total_input_tokens: 2_000,
    total_output_tokens: 23_168,
    total_thought_tokens: 500,
    output_tokens_by_modality: [{ modality: 'video', tokens: 23_168 }],
  };
  const steps = [{ type: 'user_input', content: [] }, { type: 'thought' }, { type: 'model_output', content }];
  return { ...base, steps, usage, ...options.interaction };
}

function serveFile(
  upstream: FakeUpstream,
  options: FakeGeminiOptions,
  call: string,
  url: string,
  response: ServerResponse,
): void {
  const [, id = '', download] = /^GET \/files\/([\w-]+)(:download)?$/.exec(call) ?? [];
  const [bytes] = upstream.outputs;
  if (!upstream.findJob(id) || !bytes) return sendError(response, 404, 'NOT_FOUND', 'File not found.');
  const isProcessing = options.processing_answers > 0;
  if (!download) {
    if (isProcessing) options.processing_answers -= 1;
    return sendJson(response, 200, { name: `files/${id}`, state: isProcessing ? 'PROCESSING' : 'ACTIVE' });
  }
  if (isProcessing || !url.includes('alt=media'))
    return sendError(response, 400, 'FAILED_PRECONDITION', 'The file is not ready.');
  response.writeHead(200, { 'content-type': 'video/mp4' }).end(bytes);
}

function sendKeyError(response: ServerResponse, key: string): void {
  const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }];
  const message = `API key not valid: ${key}. Please pass a valid API key.`;
  sendJson(response, 400, { error: { code: 400, message, status: 'INVALID_ARGUMENT', details } });
}

function sendError(response: ServerResponse, code: number, status: string, message: string): void {
  sendJson(response, code, [{ error: { code, message, status, details: [] } }]);
}

const sendInteractionError = (response: ServerResponse, message: string): void =>
  sendJson(response, 400, { error: { code: 'invalid_request', message } });
