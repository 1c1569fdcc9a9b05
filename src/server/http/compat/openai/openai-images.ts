import { rm } from 'node:fs/promises';
import type { TaskId } from '#contract/ids.ts';
import { requestFingerprint } from '#server/accounts/idempotency/idempotent-request.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { cutName } from '#server/platform/core/cut-text.ts';
import { type FormFile, receiveForm, storeFormFile } from '#server/studio/uploads/receive-form.ts';
import type { CompatCall, CompatReply } from '../compat-adapter.ts';
import { isEmpty, type ParameterRules } from '../parameter-rules.ts';
import { refuseParameter, toTaskInput } from '../compat-input.ts';
import {
  EDIT_RULES,
  hasCountField,
  IMAGE_RULES,
  readCount,
  readResponseFormat,
  readUser,
  toImageParameter,
} from './image-parameters.ts';
import { presentImages } from './image-response.ts';
import { CREATE_TASKS, EDIT_TASKS, findModel } from './models.ts';
import { convertMask, readMask } from './openai-mask.ts';
import { runOrders } from './run-orders.ts';

type Parameters = Readonly<Record<string, unknown>>;

/** 16 images and a mask. */
const MAX_FILES = 17;
const FILE = 'form-file:';

export const generateImages = (call: CompatCall): Promise<CompatReply> =>
  orderImages(call, { path: '/images/generations', tasks: CREATE_TASKS, rules: IMAGE_RULES }, readObject(call.body));

/** Takes a form with files, or JSON with links and data URIs. */
export function editImages(call: CompatCall): Promise<CompatReply> {
  if (call.body !== undefined) return orderEdit(call, readEdit(readObject(call.body)));
  const { deps, caller, request } = call;
  return receiveForm(deps, caller, request.raw, MAX_FILES, ({ fields, files }) => {
    const parameters: Record<string, unknown> = {};
    for (const [name, values] of fields) {
      if (values.every(isEmpty)) continue;
      if (name === 'image') refuseParameter(name, 'The image must be a file.');
      if (values.length > 1) refuseParameter(name, `Send ${cutName(name)} once.`);
      parameters[name] = values[0];
    }
    const images: string[] = [];
    for (const [index, { field }] of files.entries()) {
      if (field === 'image' || field === 'image[]') images.push(`${FILE}${index}`);
      else if (field === 'mask' && parameters['mask'] === undefined) parameters['mask'] = `${FILE}${index}`;
      else refuseParameter(field, `The file ${cutName(field)} is not supported.`);
    }
    return orderEdit(call, { parameters, images }, files);
  });
}

export function readObject(body: unknown): Parameters {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Parameters;
  throw new ApiError('invalid_request', 'Send a JSON object.', { status: 422 });
}

interface Edit {
  parameters: Parameters;
  images: string[];
}

/** `images: [{ image_url }]`, as of the API reference. */
function readEdit({ image, images, mask, ...parameters }: Parameters): Edit {
  if (!isEmpty(image) && !isEmpty(images))
    refuseParameter('images', 'image and images say the same. Send one of them.');
  const [name, items] = isEmpty(image) ? ['images', images ?? []] : ['image', image];
  const links = [items].flat().map((item, index) => readLink(item, `${name}.${index}`));
  return { images: links, parameters: { ...parameters, ...(isEmpty(mask) ? {} : { mask: readLink(mask, 'mask') }) } };
}

function readLink(item: unknown, name: string): string {
  if (typeof item === 'string') return item;
  const { image_url, file_id, ...others } = readObject(item);
  if (file_id) refuseParameter(`${name}.file_id`, 'Files of OpenAI can’t be read here. Send image_url.');
  if (typeof image_url !== 'string' || !Object.values(others).every(isEmpty))
    refuseParameter(name, `${name} must have an image_url.`);
  return image_url;
}

function orderEdit(call: CompatCall, { parameters, images }: Edit, files: readonly FormFile[] = []) {
  const tasks = [...EDIT_TASKS, ...CREATE_TASKS];
  const endpoint = { path: '/images/edits', tasks, rules: EDIT_RULES };
  if (images.length === 0) refuseParameter('image', 'Send at least one image.');
  return orderImages(call, endpoint, { ...parameters, image: images }, files);
}

interface Endpoint {
  path: string;
  tasks: readonly TaskId[];
  rules: ParameterRules;
}

async function orderImages(
  call: CompatCall,
  { path, tasks, rules }: Endpoint,
  parameters: Parameters,
  files: readonly FormFile[] = [],
): Promise<CompatReply> {
  const { model: name, n, response_format, user, safety_identifier, image, ...others } = parameters;
  const { task, model, contract } = findModel(call, name, tasks);
  const format = readResponseFormat(response_format, name);
  const isCounted = hasCountField(contract);
  const count = isCounted ? 1 : readCount(n);
  const metadata = readUser(safety_identifier, user, call.metadata);
  const values = {
    ...others,
    ...(isCounted ? { n } : {}),
    ...(Array.isArray(image) && image.length > 0 ? { image: toImageParameter(contract, image) } : { image }),
  };
  const hashes = files.map(({ field, sha256 }) => [field, sha256]);
  const request = {
    fingerprint: requestFingerprint('POST', path, { parameters, hashes, metadata }),
    count,
    async build() {
      const { mask } = others;
      const isText = typeof mask === 'string' && mask !== '' && !mask.startsWith(FILE);
      const read = isText ? await readMask(call, mask) : null;
      const placed = read ? { ...values, mask: `${FILE}${files.length}` } : values;
      try {
        const { input, nameParameters } = await toTaskInput(call, contract, placed, rules);
        const stored = await storeFiles(call, input, read ? [...files, read] : files);
        return { order: { task, model, input: stored, metadata }, nameParameters };
      } finally {
        if (read) await rm(read.file, { force: true });
      }
    },
  };
  return runOrders(call, request, (done) => presentImages(call, done, format));
}

/** Stores the files of a form as uploads, now that the rest of the request is valid. */
async function storeFiles(
  call: CompatCall,
  input: Record<string, unknown>,
  files: readonly FormFile[],
): Promise<Record<string, unknown>> {
  const { deps, caller, disconnected } = call;
  const urls = new Map<string, string>();
  const mask = files.find(({ field }) => field === 'mask');
  const converted = mask && (await convertMask(call, mask));
  try {
    for (const [index, file] of files.entries()) {
      const stored = await storeFormFile(deps, caller, file === mask && converted ? converted : file, disconnected);
      urls.set(`${FILE}${index}`, stored.url);
    }
  } finally {
    if (converted) await rm(converted.file, { force: true });
  }
  const replace = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(replace);
    if (typeof value !== 'object' || value === null || !('url' in value)) return value;
    return { ...value, url: urls.get(String(value.url)) ?? value.url };
  };
  return Object.fromEntries(Object.entries(input).map(([field, value]) => [field, replace(value)]));
}
