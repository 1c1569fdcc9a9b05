import type { ServerContext } from '@modelcontextprotocol/server';
import * as z from 'zod/mini';
import { GENERATION_STATUSES, type GenerationStatus, isActive } from '#contract/statuses.ts';
import { followGeneration } from '#server/http/follow-generation.ts';
import { INCLUDE_IMAGES_SCHEMA, readInlineImages } from './inline-images.ts';
import { argumentError, presentResponse, textBlock, toolError } from './present-result.ts';
import type { EndpointResponse } from '#server/http/send-endpoint-request.ts';
import type { McpCall, McpTool, ToolArguments } from './mcp-tool.ts';

const MAX_SECONDS = 50;
const DEFAULT_SECONDS = 30;

/** Follows a generation for a bounded time, with progress notifications if the client asks for them. */
export const WAIT_TOOL: McpTool = {
  name: 'wait_for_generation',
  permission: 'work.read',
  describe: () => ({
    title: 'Wait for a generation',
    description:
      'Waits until a generation has a result, then returns it with links to its media. While it is still running after timeout_seconds, returns it as it is: call again.',
    inputSchema: {
      type: 'object',
      properties: {
        generation_id: { type: 'string' },
        timeout_seconds: { type: 'integer', minimum: 1, maximum: MAX_SECONDS, default: DEFAULT_SECONDS },
        include_images: INCLUDE_IMAGES_SCHEMA,
      },
      required: ['generation_id'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, idempotentHint: true },
  }),
  async run(call, args, context) {
    const parsed = readArguments(args);
    if ('path' in parsed) return argumentError(parsed.path, parsed.message);
    const release = call.wait_slots.acquire(call.caller.key_id);
    if (!release) return toolError('rate_limit_exceeded', 'Too many calls are waiting. Use get_generation instead.');
    try {
      const response = await waitForGeneration(call, parsed, context);
      if (response.status >= 400) return presentResponse(response);
      const { status } = Followed.parse(response.body);
      if (isActive(status)) return presentResponse(response, [textBlock(`It is ${status}. Call this tool again.`)]);
      return presentResponse(response, parsed.include_images ? await readInlineImages(call, response.body) : []);
    } finally {
      release();
    }
  },
};

const Arguments = z.strictObject({
  generation_id: z.string().check(z.minLength(1, 'Send generation_id.')),
  timeout_seconds: z._default(z.int().check(z.gte(1), z.lte(MAX_SECONDS)), DEFAULT_SECONDS),
  include_images: z._default(z.boolean(), false),
});

function readArguments(args: ToolArguments): z.infer<typeof Arguments> | { path: string; message: string } {
  const parsed = Arguments.safeParse(args);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.code === 'unrecognized_keys' ? issue.keys[0] : issue?.path.join('.');
  return { path: path ?? '', message: issue?.message ?? 'The arguments are not valid.' };
}

const Followed = z.object({
  status: z.enum(GENERATION_STATUSES),
  progress: z.nullable(z.number()),
});

const waitForGeneration = (
  call: McpCall,
  { generation_id, timeout_seconds: seconds }: z.infer<typeof Arguments>,
  context: ServerContext,
): Promise<EndpointResponse> =>
  followGeneration({
    read: () => call.send('get_generation', { params: { generation_id } }),
    statusOf: ({ status, body }) => (status >= 400 ? null : Followed.parse(body).status),
    seconds,
    signal: AbortSignal.any([call.signal, context.mcpReq.signal]),
    async onWait({ body }, elapsedSeconds) {
      const { status, progress } = Followed.parse(body);
      await notifyProgress(context, elapsedSeconds, seconds, describeProgress(status, progress));
    },
  });

const describeProgress = (status: GenerationStatus, progress: number | null): string =>
  progress === null ? status : `${status}, ${Math.round(progress * 100)} %`;

/** The progress of the wait: notifications must increase, which the progress of a generation need not. */
async function notifyProgress({ mcpReq }: ServerContext, progress: number, total: number, message: string) {
  const { _meta: meta } = mcpReq;
  const token = meta?.progressToken;
  if (token === undefined) return;
  const params = { progressToken: token, progress, total, message };
  await mcpReq.notify({ method: 'notifications/progress', params });
}
