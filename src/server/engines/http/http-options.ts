import * as z from 'zod/mini';

/** Where a job stands. `refused`: its content is not allowed. */
export const JOB_STATES = ['working', 'done', 'failed', 'refused', 'canceled'] as const;
export type JobState = (typeof JOB_STATES)[number];

const expression = () => z.string().check(z.minLength(1));
const headerName = () =>
  z.string().check(z.regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'must be the name of an HTTP header'));
const templates = () => z.record(z.string(), z.string());

/** A request. `path`, `query` and `headers` may hold `{{ JSONata }}`; `body` and `form` are JSONata. */
const request = <Method extends string>(...methods: [Method, ...Method[]]) =>
  z.strictObject({
    method: z._default(z.enum(methods), methods[0] as never),
    path: z.string().check(z.regex(/^(\/|\{\{)/, 'must begin with / or be one {{ expression }}')),
    query: z._default(templates(), {}),
    headers: z._default(templates(), {}),
    /** The JSON that is sent. */
    body: z.optional(expression()),
    /** The fields of a multipart form; `$file(reference)` stands for a file. */
    form: z.optional(expression()),
  });
export type HttpRequestOptions = z.infer<ReturnType<typeof request<'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'>>>;

/**
 * How a service is spoken to. Expressions read `task`, `model`, `input`, `references` (at submit), `submit_key`,
 * `options`, and of what was answered: `answer` (JSON) and `handle`.
 */
export const httpOptions = z.strictObject({
  /** What expressions read as `options.model`: the upstream's own name of the model. */
  model: z.optional(z.string()),
  /** Whatever else they are to read as `options.values`. */
  values: z.optional(z.record(z.string(), z.unknown())),
  /** Where the key goes: `Authorization` with `Bearer ` before it. */
  key_header: z.optional(headerName()),
  key_prefix: z.optional(z.string()),
  submit: request('POST', 'GET', 'PUT', 'PATCH'),
  /** The header that makes a repeated submit have one effect. */
  submit_key_header: z.optional(headerName()),
  /** `submit_key` stands elsewhere in the request and the service takes it so. */
  takes_submit_key: z.optional(z.boolean()),
  /** JSONata for what is needed to ask again, from `answer`; left out where the answer to submit is the result. */
  handle: z.optional(expression()),
  poll: z.optional(request('GET', 'POST')),
  poll_after_seconds: z.optional(z.number().check(z.gte(0.1), z.lte(3_600))),
  cancel: z.optional(request('POST', 'DELETE', 'PUT', 'GET', 'PATCH')),
  /** Asked once it is done, where the result does not stand in that answer. */
  result: z.optional(request('GET', 'POST')),
  /** JSONata from `answer` for where the job stands, in our words or in those that `states` translates. */
  state: z.optional(expression()),
  /** The service's words for where a job stands, in ours. Another word is an answer that can't be understood. */
  states: z.optional(z.record(z.string(), z.enum(JOB_STATES))),
  /** JSONata from `answer`: why it failed or was refused, in a sentence. */
  error: z.optional(expression()),
  /** Values that mean, anywhere in the body of a 4xx answer, that the content is not allowed. */
  refusal_codes: z._default(z.array(z.string().check(z.minLength(1))), []),
  /** 0 to 1. */
  progress: z.optional(expression()),
  /** Addresses of the files, or `{ "base64": … }`, one or a list. */
  outputs: z.optional(expression()),
  /** The task's `data`. */
  data: z.optional(expression()),
  /** What the service charges for it, in dollars. */
  cost_usd: z.optional(expression()),
  /** Options that the model chose where the input left it the choice: `{ "quality": answer.quality }`. */
  used: z.optional(expression()),
});
export type HttpOptions = z.infer<typeof httpOptions>;
