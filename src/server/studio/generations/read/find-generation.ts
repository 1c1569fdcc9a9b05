import { and, eq } from 'drizzle-orm';
import type { Generation } from '#contract/resources/generation.ts';
import type { Deps } from '#server/platform/deps.ts';
import { apiKeys } from '#server/platform/db/schema/organization-schema.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { GenerationRow } from './generation-row.ts';
import { presentGenerations } from './present-generation.ts';

type GenerationReader = { db: Pick<Deps['db'], 'select'> };

/** @throws {ApiError} 404 `generation_not_found`, also for a generation of another organization */
export async function findGeneration(
  { db }: GenerationReader,
  organizationId: string,
  id: string,
): Promise<{ generation: GenerationRow; key_name: string }> {
  const [row] = await db
    .select({ generation: generations, key_name: apiKeys.name })
    .from(generations)
    .innerJoin(apiKeys, eq(apiKeys.id, generations.created_by))
    .where(and(eq(generations.id, id), eq(generations.organization_id, organizationId)));
  if (row) return row;
  throw new ApiError('generation_not_found', 'Generation not found.');
}

/** @throws {ApiError} 404 `generation_not_found` */
export async function readGeneration(
  deps: Deps & GenerationReader,
  organizationId: string,
  id: string,
): Promise<Generation> {
  const [generation] = await presentGenerations(deps, [await findGeneration(deps, organizationId, id)]);
  if (!generation) throw new Error('The generation was not presented.');
  return generation;
}
