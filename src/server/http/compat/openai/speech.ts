import type { FieldSpec } from '#contract/task.ts';
import { requestFingerprint } from '#server/accounts/idempotency/idempotent-request.ts';
import type { CompatCall, CompatReply } from '../compat-adapter.ts';
import { OrderError, orderHeaders } from '../place-orders.ts';
import { only, type ParameterRules } from '../parameter-rules.ts';
import { toTaskInput } from '../compat-input.ts';
import { openAsset } from './image-response.ts';
import { readObject } from './openai-images.ts';
import { findModel, SPEECH_TASKS } from './models.ts';
import { runOrders } from './run-orders.ts';

/** Clients always send these, whether or not someone has chosen them. */
const DEFAULT_VOICE = 'alloy';
const DEFAULT_FORMAT = 'mp3';
const VOICE_FIELDS = ['voice_id', 'voice_name', 'speaker'];
const FORMAT_FIELDS = ['output_format', 'audio_format', 'format'];

const hasOption = (field: FieldSpec | undefined, value: unknown): boolean =>
  field?.kind === 'choice' && field.options.some((option) => option === value);

const RULES: ParameterRules = {
  input: (value, { fields }) => {
    const texts = fields.filter(({ kind }) => kind === 'text');
    const field = texts.find(({ name }) => name === 'text' || name === 'prompt') ?? texts[0];
    return field ? { [field.name]: value } : 'This model takes no text.';
  },
  voice: (value, { fields }) => {
    const field = fields.find(({ name }) => VOICE_FIELDS.includes(name));
    if (value === DEFAULT_VOICE && !hasOption(field, value)) return {};
    return field ? { [field.name]: value } : 'This model has no choice of voices. Leave voice out, or send alloy.';
  },
  response_format: (value, { fields }) => {
    const field = fields.find(({ name }) => FORMAT_FIELDS.includes(name));
    if (field && hasOption(field, value)) return { [field.name]: value };
    return value === DEFAULT_FORMAT ? {} : 'This model does not offer the format. Leave response_format out.';
  },
  speed: only('This model has one speed. Leave speed out, or send 1.', 1),
  stream_format: only('Speech is not streamed as events. Leave stream_format out.', 'audio'),
};

/** Responds with the file of the audio. */
export async function createSpeech(call: CompatCall): Promise<CompatReply> {
  const parameters = readObject(call.body);
  const { model: name, ...values } = parameters;
  const { task, model, contract } = findModel(call, name, SPEECH_TASKS);
  const { metadata } = call;
  const request = {
    fingerprint: requestFingerprint('POST', '/audio/speech', { parameters, metadata }),
    count: 1,
    async build() {
      const { input, nameParameters } = await toTaskInput(call, contract, values, RULES);
      return { order: { task, model, input, metadata }, nameParameters };
    },
  };
  return runOrders(call, request, async (done) => {
    const audio = done.flatMap(({ output }) => output.assets).find(({ type }) => type === 'audio');
    if (!audio) throw new OrderError(done, 'The order has no audio as its result.');
    return {
      body: await openAsset(call, audio),
      type: audio.mime_type ?? 'application/octet-stream',
      headers: { ...orderHeaders(done), 'content-length': String(audio.size_bytes) },
    };
  });
}
