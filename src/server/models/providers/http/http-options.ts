import * as z from 'zod/mini';

/** `refused`: by a content filter. */
export const JOB_STATES = ['working', 'done', 'failed', 'refused', 'canceled'] as const;
export type JobState = (typeof JOB_STATES)[number];

const expression = () => z.string().check(z.minLength(1));
const headerName = () =>
  z.string().check(z.regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'must be the name of an HTTP header'));
const origin = () =>
  z.string().check(
    z.regex(/^https?:\/\/[^\s/?#@]+$/, 'must be an origin such as https://eu.example.com'),
    z.refine((text) => URL.canParse(text), 'must be an origin such as https://eu.example.com'),
  );
const templates = () => z.record(z.string(), z.string());

/** `path`, `query` and `headers` may contain `{{ JSONata }}`; `body` and `form` are JSONata. */
const request = <Method extends string>(...methods: [Method, ...Method[]]) =>
  z.strictObject({
    method: z._default(z.enum(methods), methods[0] as never),
    path: z.string().check(z.regex(/^(\/|\{\{)/, 'must begin with / or be one {{ expression }}')),
    query: z._default(templates(), {}),
    headers: z._default(templates(), {}),
    body: z.optional(expression()),
    form: z.optional(expression()),
  });
export type HttpRequestOptions = z.infer<ReturnType<typeof request<'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'>>>;

/**
 * Expressions read `task`, `model`, `input`, `references` (at submit), `submit_key`, `options`, `answer` (the JSON of
 * the last response), `headers` (of a response that is a file) and `handle`.
 */
export const httpOptions = z.strictObject({
  model: z.optional(z.string()),
  values: z.optional(z.record(z.string(), z.unknown())),
  /** Default: `Authorization`, with the prefix `Bearer `. */
  key_header: z.optional(headerName()),
  key_prefix: z.optional(z.string()),
  /** Further origins of the service, which get the key too: those of URLs in its responses. */
  also_at: z._default(z.array(origin()).check(z.maxLength(20)), []),
  /** The response that may be the output itself instead of JSON. */
  file_response: z.optional(z.enum(['submit', 'poll', 'result'])),
  submit: request('POST', 'GET', 'PUT', 'PATCH'),
  submit_key_header: z.optional(headerName()),
  /** Set when `submit_key` is an idempotency key elsewhere in the request. */
  takes_submit_key: z.optional(z.boolean()),
  /** What polling needs, from `answer`; left out when the response to submit is the result. */
  handle: z.optional(expression()),
  poll: z.optional(request('GET', 'POST')),
  poll_after_seconds: z.optional(z.number().check(z.gte(0.1), z.lte(3_600))),
  cancel: z.optional(request('POST', 'DELETE', 'PUT', 'GET', 'PATCH')),
  /** Requested after completion, when the response with the state does not contain the result. */
  result: z.optional(request('GET', 'POST')),
  /** The state of the job, as a `JobState` or a key of `states`. */
  state: z.optional(expression()),
  /** Maps the service's states. Any other value makes the response unreadable. */
  states: z.optional(z.record(z.string(), z.enum(JOB_STATES))),
  error: z.optional(expression()),
  /** Values that mean, anywhere in the body of a 4xx response, that a content filter refused the request. */
  refusal_codes: z._default(z.array(z.string().check(z.minLength(1))), []),
  progress: z.optional(expression()),
  /** URLs of the files or `{ "base64": … }`, a single value or a list. */
  outputs: z.optional(expression()),
  data: z.optional(expression()),
  cost_usd: z.optional(expression()),
  /** Options that the model chose for `auto`: `{ "quality": answer.quality }`. */
  used: z.optional(expression()),
});
export type HttpOptions = z.infer<typeof httpOptions>;
