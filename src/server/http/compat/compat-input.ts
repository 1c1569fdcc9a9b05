import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { ErrorDetail } from '#contract/api/errors.ts';
import { type ChoiceFieldSpec, fieldDefault, type FieldSpec, type InputContract } from '#contract/task.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { cutName } from '#server/platform/core/cut-text.ts';
import { throwUnavailable } from '#server/platform/storage/storage.ts';
import { storeReceived } from '#server/studio/uploads/create-upload.ts';
import { storeFormFile } from '#server/studio/uploads/receive-form.ts';
import { uploadTooLargeError } from '#server/studio/uploads/upload-errors.ts';
import type { CompatCall } from './compat-adapter.ts';
import { isEmpty, type ParameterRules } from './parameter-rules.ts';

type Values = Readonly<Record<string, unknown>>;
type Uploader = Pick<CompatCall, 'deps' | 'caller' | 'files' | 'disconnected'>;

export interface TaskInput {
  input: Record<string, unknown>;
  /** Replaces the names of our fields in an error by those of the request. */
  nameParameters(error: unknown): unknown;
}

/** @throws {ApiError} 422 that names the parameter */
export function refuseParameter(parameter: string, message: string): never {
  throw new ApiError('invalid_request', message, { status: 422, details: [{ path: parameter, message }] });
}

/**
 * Translates the parameters of another API to the input of a task. Parameters with the name of a field are that field;
 * those of an added model that no field shows go to its field of JSON; others follow `rules`; all else is refused. Empty
 * values are the same as nothing, but null where it replaces a default; so is a word for the default where a choice has no
 * such option. Files in data URIs are uploaded.
 * @throws {ApiError} 422 that names a parameter
 */
export async function toTaskInput(
  call: Uploader,
  contract: InputContract,
  parameters: Values,
  rules: ParameterRules,
): Promise<TaskInput> {
  const input: Record<string, unknown> = {};
  const origin = new Map<string, string>();
  const findField = (name: string) => contract.fields.find((field) => field.name === name);
  const json = contract.fields.find((field) => field.kind === 'json' && !Object.hasOwn(parameters, field.name));
  const advanced: Record<string, unknown> = {};
  for (const [parameter, value] of Object.entries(parameters)) {
    if (value === undefined || (value === null && !takesNull(findField(parameter)))) continue;
    if (value === null) {
      input[parameter] = null;
      continue;
    }
    if (json?.kind === 'json' && json.keys.includes(parameter)) {
      advanced[parameter] = value;
      input[json.name] = advanced;
      continue;
    }
    const rule = Object.hasOwn(rules, parameter) ? rules[parameter] : undefined;
    const named = findField(parameter);
    const isField = named !== undefined && !(isDefaultWord(named, value) && asksNothing(rule?.(value, contract)));
    const values = isField ? { [parameter]: value } : rule?.(value, contract);
    const saysNothing = !Object.entries(Object(values)).some(([name, each]) => takesEmpty(findField(name), each));
    if (isEmpty(value) && saysNothing) continue;
    if (typeof values === 'string') refuseParameter(parameter, values);
    for (const [name, fieldValue] of Object.entries(values ?? refuseUnknown(parameter))) {
      const field = findField(name) ?? refuseUnknown(parameter);
      if (Object.hasOwn(input, name))
        refuseParameter(parameter, `${origin.get(name)} and ${parameter} say the same. Send one of them.`);
      origin.set(name, parameter);
      input[name] = await toFieldValue(call, field, fieldValue, parameter);
    }
  }
  const { maxJsonBytes } = call.deps.config;
  const restored = await call.files.restore(input, maxJsonBytes);
  if (!restored)
    throw new ApiError('invalid_request', 'The body has files where this model takes none.', { status: 413 });
  return { input: restored, nameParameters: (error) => renameDetails(error, origin) };
}

/** Whether null says something that leaving it out does not. */
const takesNull = (field: FieldSpec | undefined): boolean =>
  field !== undefined && 'nullable' in field && field.nullable === true && (fieldDefault(field) ?? null) !== null;

/** Whether an empty value says something that leaving it out does not. */
function takesEmpty(field: FieldSpec | undefined, value: unknown): boolean {
  if (field?.kind === 'text') return value === '';
  if (field?.kind === 'choice') return field.options.some((option) => option === value);
  if (field?.kind === 'list' || field?.kind === 'rows') return Array.isArray(value) && field.min_items === 0;
  return field?.kind === 'group' || field?.kind === 'json';
}

/** By which clients ask for what a model does by itself, whether or not someone has chosen it. */
const DEFAULT_WORDS = ['auto', 'standard', 'vivid', 'alloy'];

const isDefaultWord = (field: FieldSpec, value: unknown): boolean =>
  DEFAULT_WORDS.includes(String(value)) &&
  field.kind === 'choice' &&
  field.own_max_length === undefined &&
  !field.options.some((option) => option === toOption(field, value));

const asksNothing = (values: Values | string | undefined): boolean =>
  typeof values === 'object' && Object.keys(values).length === 0;

const refuseUnknown = (parameter: string): never =>
  refuseParameter(parameter, `The parameter ${cutName(parameter)} is not supported for this model.`);

async function toFieldValue(call: Uploader, field: FieldSpec, value: unknown, parameter: string): Promise<unknown> {
  if (field.kind === 'reference') return toReference(call, value, parameter);
  if (field.kind === 'references') {
    const items = Array.isArray(value) ? value : [value];
    if (items.length > field.max_items)
      refuseParameter(
        parameter,
        `${parameter} takes at most ${field.max_items} ${field.max_items === 1 ? 'item' : 'items'}.`,
      );
    return inTurn(items, (item) => toReference(call, item, parameter));
  }
  if (field.kind === 'rows' && Array.isArray(value))
    return inTurn(value, (row) => toNested(call, field.fields, row, parameter));
  if (field.kind === 'group') return toNested(call, field.fields, value, parameter);
  if (field.kind === 'size') return toSize(field.options, value);
  if (field.kind === 'choice') return toOption(field, value);
  return field.kind === 'number' || field.kind === 'integer' ? toNumber(value) : value;
}

/** One after the other: a key may have few uploads open. */
async function inTurn<T, R>(items: readonly T[], convert: (item: T) => Promise<R>): Promise<R[]> {
  const converted: R[] = [];
  for (const item of items) converted.push(await convert(item));
  return converted;
}

const toNumber = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value;

/** What other APIs call an option that has another name here. */
const OPTION_NAMES: Readonly<Record<string, string>> = { jpg: 'jpeg', match_input_image: 'auto', auto: 'adaptive' };

/** Options as the field has them: `4k` is `4K`. */
function toOption({ options }: ChoiceFieldSpec, value: unknown): unknown {
  if (typeof value !== 'string' || options.includes(value)) return value;
  const name = value.toLowerCase();
  const names = [name, OPTION_NAMES[name]];
  const option = options.find((each) => names.includes(String(each).toLowerCase()));
  return option ?? value;
}

/** `1536x864`, unless a size has that name. */
function toSize(options: readonly string[], value: unknown): unknown {
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(String(value)) ?? [];
  return width === undefined || options.includes(String(value))
    ? value
    : { width: Number(width), height: Number(height) };
}

async function toNested(
  call: Uploader,
  fields: readonly FieldSpec[],
  value: unknown,
  parameter: string,
): Promise<unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = await inTurn(
    Object.entries(value),
    async ([name, inner]: [string, unknown]): Promise<[string, unknown]> => {
      const field = fields.find((each) => each.name === name);
      return [name, field && inner !== null ? await toFieldValue(call, field, inner, `${parameter}.${name}`) : inner];
    },
  );
  return Object.fromEntries(entries);
}

/** Converts a URL to `{url}`; leaves objects unchanged. */
async function toReference(call: Uploader, value: unknown, parameter: string): Promise<unknown> {
  if (typeof value !== 'string') return value;
  return { url: value.startsWith('data:') ? await uploadDataUri(call, value, parameter) : value };
}

async function uploadDataUri(call: Uploader, uri: string, parameter: string): Promise<string> {
  const { deps, caller, files, disconnected } = call;
  const link = files.upload(uri, async (file) => {
    if (file.bytes > deps.config.maxUploadBytes) throw uploadTooLargeError(deps.config);
    const upload = await storeFormFile(deps, caller, { ...file, filename: null }, disconnected);
    return upload.url;
  });
  if (link) return link;
  const comma = uri.indexOf(',');
  if (comma === -1 || !uri.slice(0, comma).endsWith(';base64'))
    refuseParameter(parameter, `${parameter} is no data URI in base64.`);
  return uploadBytes(call, Buffer.from(uri.slice(comma + 1), 'base64'));
}

/** @returns the link of an upload of the caller @throws {ApiError} as `POST /v1/uploads` */
async function uploadBytes({ deps, caller, disconnected: signal }: Uploader, bytes: Buffer): Promise<string> {
  const upload = await storeReceived(deps, caller, {
    bytes: bytes.length,
    signal,
    async receive(file, checkSpace) {
      await checkSpace(bytes.length);
      await writeFile(file, bytes, { flag: 'wx' }).catch(throwUnavailable);
      return { filename: null, sha256: createHash('sha256').update(bytes).digest('hex') };
    },
  });
  return upload.url;
}

const renameDetails = (error: unknown, origin: ReadonlyMap<string, string>): unknown =>
  renamePaths(error, (path) => {
    const [, field = '', rest = ''] = /^(?:orders\.\d+\.)?input\.([^.]+)(.*)/s.exec(path) ?? [];
    const parameter = origin.get(field) ?? field;
    return field === '' ? path : `${parameter}${withoutUrl(rest)}`;
  });

/** Media are `{url}` in an order and a plain address here, alone or in a list. */
function withoutUrl(path: string): string {
  const media = path.endsWith('.url') ? path.slice(0, -'.url'.length) : null;
  return media === '' || (media !== null && /^\d+$/.test(media.slice(media.lastIndexOf('.') + 1))) ? media : path;
}

/** The same error with other paths in its details; anything else stays. */
export function renamePaths(error: unknown, rename: (path: string, index: number) => string): unknown {
  if (!(error instanceof ApiError) || !error.details) return error;
  const details = error.details.map(({ path, message }, index): ErrorDetail => ({
    path: rename(path, index),
    message,
  }));
  const { code, message, status, budget, approval, retry_after_seconds } = error;
  return new ApiError(code, message, {
    status,
    details,
    ...(budget && { budget }),
    ...(approval && { approval }),
    ...(retry_after_seconds !== undefined && { retry_after_seconds }),
  });
}
