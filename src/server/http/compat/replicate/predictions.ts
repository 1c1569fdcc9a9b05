import * as z from 'zod/mini';
import { isJson } from '#contract/json-value.ts';
import { toErrorDetails } from '#contract/api/error-details.ts';
import type { ErrorDetail } from '#contract/api/errors.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { jsonObject } from '#contract/primitives.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { validateJsonValue } from '#server/platform/core/validate-json-value.ts';
import type { CompatCall, CompatReply } from '#server/http/compat/compat-adapter.ts';
import { isEmpty } from '#server/http/compat/parameter-rules.ts';
import { hashRequest, placeOrJoin } from '#server/http/compat/lost-orders.ts';
import { placeOnce } from '#server/http/compat/place-once.ts';
import { orderHeaders, readOrder, waitForOrders } from '#server/http/compat/place-orders.ts';
import { refuseParameter, renamePaths, toTaskInput } from '#server/http/compat/compat-input.ts';
import { readPage, toPage } from './pages.ts';
import { chooseTask, COMMON_RULES, REPLICATE_RULES, translateValues } from './compat-prediction-input.ts';
import { isFinished, presentPrediction } from './present-prediction.ts';
import { findReplicateModel, findReplicateVersion, type ReplicateModel } from './replicate-models.ts';
import { readWebhook, registerWebhook, webhookFields } from './webhook-callback.ts';

const MAX_NAME_CHARACTERS = 300;
const LONGEST_WAIT_SECONDS = 60;

const name = () => z.string().check(z.minLength(1), z.maxLength(MAX_NAME_CHARACTERS));
const PredictionCreate = z.strictObject({
  version: z.optional(name()),
  model: z.optional(name()),
  input: jsonObject(),
  stream: z.nullish(z.boolean()),
  ...webhookFields,
});

/** `POST /predictions`, and `POST /models/{owner}/{name}/predictions`. */
export async function createPrediction(call: CompatCall): Promise<CompatReply> {
  const body = readBody(call);
  const seconds = readWaitSeconds(call);
  if (call.request.headers['cancel-after'] !== undefined)
    refuseParameter('Cancel-After', 'Cancel-After is not supported. Cancel the prediction instead.');
  if (body.stream) refuseParameter('stream', 'stream is not supported: predictions have no event stream here.');
  const model = findModel(call, body);
  const webhook = await readWebhook(call, body);
  const order = await placeOrder(call, model, body.input);
  if (webhook) await registerWebhook(call, order, webhook);
  const done = seconds === 0 ? order : await waitForPrediction(call, order, seconds);
  const isEarly = seconds > 0 && !isFinished(done);
  return {
    status: isEarly ? 202 : 201,
    // The client polls only what is “starting” after a wait.
    body: presentPrediction(call.deps, done, isFinished(done) ? undefined : 'starting'),
    headers: orderHeaders([done]),
  };
}

function readBody({ body }: CompatCall): z.infer<typeof PredictionCreate> {
  const refuse = (details: readonly ErrorDetail[]) =>
    new ApiError('invalid_request', 'The request is not valid.', { status: 422, details });
  const problems = validateJsonValue(body);
  if (problems.length > 0) throw refuse(problems);
  const { data, error } = PredictionCreate.safeParse(withoutEmpty(body ?? {}), { reportInput: true });
  if (data) return data;
  throw refuse(toErrorDetails(error.issues, ''));
}

/** An input may be empty. */
const withoutEmpty = (body: unknown): unknown =>
  isJson(body)
    ? Object.fromEntries(Object.entries(body).filter(([name, value]) => name === 'input' || !isEmpty(value)))
    : body;

function findModel(call: CompatCall, { version, model }: z.infer<typeof PredictionCreate>): ReplicateModel {
  const { owner, name: modelName } = call.params;
  if (owner === undefined) {
    if (version !== undefined && model !== undefined) refuseParameter('model', 'Send either version or model.');
    const named = version ?? model;
    return named === undefined ? refuseParameter('version', 'version is required.') : findReplicateVersion(call, named);
  }
  if (version !== undefined || model !== undefined)
    refuseParameter(version === undefined ? 'model' : 'version', 'The path names the model already.');
  return findReplicateModel(call, `${owner}/${modelName}`);
}

function readWaitSeconds({ request }: CompatCall): number {
  const { prefer } = request.headers;
  if (isEmpty(prefer) || prefer === 'respond-async') return 0;
  const [match, seconds = LONGEST_WAIT_SECONDS] = /^wait(?:=(\d{1,2}))?$/.exec(String(prefer)) ?? [];
  if (match !== undefined && Number(seconds) >= 1 && Number(seconds) <= LONGEST_WAIT_SECONDS) return Number(seconds);
  return refuseParameter('Prefer', 'Prefer must be wait, or wait=n with 1 to 60 seconds.');
}

async function placeOrder(
  call: CompatCall,
  { entries, added }: ReplicateModel,
  input: Readonly<Record<string, unknown>>,
): Promise<Generation> {
  const entry = chooseTask(entries, input);
  const { task, model, contract } = entry;
  let nameParameters = (error: unknown): unknown => renamePaths(error, (path) => `input.${path}`);
  const build = async () => {
    const values = translateValues(entry, added, input);
    const read = await toTaskInput(call, contract, values, added ? COMMON_RULES : REPLICATE_RULES);
    nameParameters = (error) => nameInInput(error, read.nameParameters(error));
    // The error is named below, where that of the translation is, too.
    return {
      order: { task, model, input: read.input, metadata: call.metadata },
      nameParameters: (error: unknown) => error,
    };
  };
  try {
    const [placed] = await placeOrJoin(call, () =>
      placeOnce(call, { api: 'replicate', fingerprint: hashRequest(call), count: 1, build }),
    );
    if (placed) return placed;
  } catch (error) {
    throw nameParameters(error);
  }
  throw new Error('An order was not placed.');
}

/** @param named the same error; paths that it changed are those of the input */
const nameInInput = (error: unknown, named: unknown): unknown =>
  renamePaths(named, (path, index) =>
    error instanceof ApiError && error.details?.[index]?.path === path ? path : `input.${path}`,
  );

/** The order exists: whatever ends the wait, the client must not create it again. */
const waitForPrediction = async (call: CompatCall, order: Generation, seconds: number): Promise<Generation> => {
  const [done = order] = await waitForOrders(call, [order], { seconds }).catch((error: unknown) => {
    call.request.log.debug({ err: error }, 'a prediction is not waited for');
    return [order];
  });
  return done;
};

export async function getPrediction(call: CompatCall): Promise<CompatReply> {
  const generation = await readOrder(call, call.params['id'] ?? '');
  return { body: presentPrediction(call.deps, generation), headers: orderHeaders([generation]) };
}

export async function cancelPrediction(call: CompatCall): Promise<CompatReply> {
  const params = { generation_id: call.params['id'] ?? '' };
  const generation = await call.send('cancel_generation', { params });
  return { body: presentPrediction(call.deps, generation), headers: orderHeaders([generation]) };
}

export async function listPredictions(call: CompatCall): Promise<CompatReply> {
  const query = readPage(call, ['created_after', 'created_before']);
  const { data, next_cursor } = await call.send('list_generations', { query });
  const results = data.map((generation) => presentPrediction(call.deps, generation));
  return toPage(call, results, next_cursor);
}
