import type { JSONObject } from '@modelcontextprotocol/server';
import { hasModels, isTaskId, TASKS } from '#contract/catalog.ts';
import { type AnyModelId, TASK_IDS, type TaskId } from '#contract/ids.ts';
import { isTaskModelAvailable } from '#server/models/catalog/availability.ts';
import { taskModels } from '#server/models/catalog/offering.ts';
import { describeModel } from '#server/models/catalog/describe-model.ts';
import { describeTask } from '#server/models/catalog/describe-task.ts';
import { IDEMPOTENCY_KEY_SCHEMA, readIdempotencyKey } from './idempotency-key.ts';
import { argumentError, presentResponse } from './present-result.ts';
import type { McpCall, McpTool } from './mcp-tool.ts';
import { findAddedModel, type OfferedModel } from '#contract/model-catalog.ts';
import { boundOf } from '#contract/money/price-order.ts';
import { formatMoney, formatUsd } from '#contract/money/money.ts';
import { EXTRA_PRICES, presentPrices, type PriceBook } from '#contract/money/pricing.ts';

/** One tool for each task, which orders a generation. */
export const TASK_TOOLS: readonly McpTool[] = TASK_IDS.filter(isTaskId).map((task) => ({
  name: TASKS[task].tool_name,
  permission: 'work.create',
  isHidden: (call) => !mayUseTask(call, task),
  describe: (call) => describeTaskTool(call, task),
  async run(call, args) {
    const { idempotency_key, ...body } = args;
    if (Object.hasOwn(body, 'task')) return argumentError('task', 'This tool has no argument task.');
    const key = readIdempotencyKey(idempotency_key);
    if (typeof key !== 'string') return key;
    const response = await call.send('create_generation', { body: { ...body, task }, idempotency_key: key });
    return presentResponse(response);
  },
}));

function mayUseTask(call: McpCall, task: TaskId): boolean {
  if (call.caller.scopes?.tasks?.includes(task) === false) return false;
  return hasModels(task) ? listModels(call, task).length > 0 : isTaskModelAvailable(call.deps, task, null);
}

/** The models of a task that are available and in the key's scopes. */
const listModels = ({ deps, caller }: McpCall, task: TaskId): AnyModelId[] =>
  taskModels(deps.offering.current(), task, caller).filter(
    (model) => caller.scopes?.models?.includes(model) !== false && isTaskModelAvailable(deps, task, model),
  );

function describeTaskTool(call: McpCall, task: TaskId): ReturnType<McpTool['describe']> {
  const { name, description } = TASKS[task];
  const models = listModels(call, task);
  const { prices, labels, added } = call.deps.offering.current();
  const lines = [
    `${description} Orders a generation and returns it at once, queued; wait_for_generation returns the result. Media in \`input\` are {url}: public https links, or links that this server returned.`,
    ...(models.length > 0 ? ['Models and prices:'] : []),
    ...describePrices(prices, task, models),
    ...models.flatMap((model) => describeAddedPrice(findAddedModel({ added }, model))),
  ];
  return {
    title: labels.get(task)?.name ?? name,
    description: lines.join('\n'),
    inputSchema: {
      type: 'object',
      properties: {
        ...(models.length > 0 ? { model: modelSchema(call, models) } : {}),
        input: taskInputSchema(call, task, models),
        metadata: {
          type: 'object',
          additionalProperties: { type: 'string', maxLength: 500 },
          maxProperties: 50,
          description: 'Your own values, such as a project. Returned with the generation.',
        },
        idempotency_key: IDEMPOTENCY_KEY_SCHEMA,
      },
      required: [...(models.length > 0 ? ['model'] : []), 'input', 'idempotency_key'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  };
}

function modelSchema({ deps }: McpCall, models: readonly AnyModelId[]): JSONObject {
  const lines = models.map((id) => {
    const { name, display, provider } = describeModel(deps, id);
    return `${id}: ${[display?.name ?? provider?.name ?? name, provider?.description].filter(Boolean).join('. ')}`;
  });
  return { type: 'string', enum: [...models], description: lines.join('\n') };
}

/** The input of a task; where models differ, one alternative for each group of models that share a schema. */
function taskInputSchema({ deps }: McpCall, task: TaskId, models: readonly AnyModelId[]): JSONObject {
  const groups = new Map<string, { schema: JSONObject; models: AnyModelId[] }>();
  for (const model of models.length > 0 ? models : [null]) {
    const described =
      model === null ? describeTask(task, []) : describeModel(deps, model).tasks.find((each) => each.task === task);
    const { $schema: _, ...schema } = (described?.input_schema ?? {}) as JSONObject;
    const text = JSON.stringify(schema);
    const group = groups.get(text) ?? { schema, models: [] };
    groups.set(text, { schema, models: model === null ? [] : [...group.models, model] });
  }
  const alternatives = [...groups.values()];
  const [only] = alternatives;
  if (alternatives.length === 1 && only) return only.schema;
  return { anyOf: alternatives.map((group) => ({ ...group.schema, title: `Input of ${group.models.join(', ')}` })) };
}

type PriceRow = ReturnType<typeof presentPrices>[number];

/** Describes what a task costs, one line per model, from the prices in force. */
function describePrices(prices: PriceBook, task: TaskId, models: readonly string[]): string[] {
  return presentPrices([...prices, ...EXTRA_PRICES])
    .filter((row) => row.task === task && (row.model === null || models.includes(row.model)))
    .map((row) => (row.model === null ? `Price: ${describePrice(row)}` : `- ${row.model}: ${describePrice(row)}`));
}

const describeAddedPrice = (model: OfferedModel | undefined): string[] =>
  model ? [`- ${model.id}: at most ${formatMoney(formatUsd(boundOf(model.current)))} a run`] : [];

function describePrice({ unit, unit_price_usd, minimum_usd, note, multipliers = {} }: PriceRow): string {
  if (unit_price_usd === '0.00' && minimum_usd === '0.00') return 'free';
  const minimum =
    minimum_usd === '0.00' || minimum_usd === unit_price_usd ? '' : `, at least ${formatMoney(minimum_usd)}`;
  const factors = Object.entries(multipliers).flatMap(([field, options]) =>
    Object.entries(options).map(([option, factor]) => `, × ${factor} for ${field} ${option}`),
  );
  return [`${formatMoney(unit_price_usd)} per ${unit}${minimum}${factors.join('')}`, note].filter(Boolean).join('. ');
}
