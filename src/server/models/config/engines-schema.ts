import * as z from 'zod/mini';
import { builtInModelId, taskId } from '#contract/primitives.ts';
import { ADAPTERS } from './adapters.ts';

/** A dollar amount or a factor, as a decimal string like everywhere on the wire. */
const decimal = () =>
  z.string().check(z.regex(/^\d{1,9}(\.\d{1,6})?$/, 'must be a decimal number as text, such as "0.035"'));

const engineName = () =>
  z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be lower-case letters, digits and hyphens'));

const adapterNames = Object.keys(ADAPTERS) as [keyof typeof ADAPTERS, ...(keyof typeof ADAPTERS)[]];

/** The other properties are options of the adapter, which validates them. */
const engine = z.looseObject({
  adapter: z.enum(adapterNames),
  base_url: z.optional(
    z.string().check(z.regex(/^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/, 'must look like https://api.example.com/v1')),
  ),
  api_key_env: z.optional(
    z
      .string()
      .check(z.regex(/^[A-Z][A-Z0-9_]{0,99}$/, 'must be the name of an environment variable, not the key itself')),
  ),
  deadline_seconds: z.optional(z.int().check(z.gte(1), z.lte(7 * 86_400))),
});

const taskEntry = z.looseObject({ engine: engineName() });

const modelEntry = z.looseObject({
  engine: engineName(),
  tasks: z.optional(z.partialRecord(taskId(), z.record(z.string(), z.unknown()))),
});

const price = z.strictObject({
  task: taskId(),
  model: z._default(z.nullable(builtInModelId()), null),
  unit_price_usd: z.optional(decimal()),
  minimum_usd: z.optional(decimal()),
  multipliers: z.optional(z.record(z.string(), z.record(z.string(), decimal()))),
});

export const enginesFileSchema = z.strictObject({
  $schema: z.optional(z.string()),
  engines: z._default(z.record(engineName(), engine), {}),
  models: z._default(z.partialRecord(builtInModelId(), modelEntry), {}),
  tasks: z._default(z.partialRecord(taskId(), taskEntry), {}),
  off: z._default(
    z.strictObject({ tasks: z._default(z.array(taskId()), []), models: z._default(z.array(builtInModelId()), []) }),
    { tasks: [], models: [] },
  ),
  prices: z._default(z.array(price), []),
});
export type EnginesFile = z.output<typeof enginesFileSchema>;
export type EngineEntry = EnginesFile['engines'][string];
export type PriceEntry = EnginesFile['prices'][number];
