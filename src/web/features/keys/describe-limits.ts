import type { ApiKey } from '#contract/resources/api-key.ts';

/** Says what a key is limited to, in a few words; empty for one without limits. */
export function describeLimits({ scopes }: Pick<ApiKey, 'scopes'>): string {
  if (scopes === null) return '';
  const count = (ids: readonly string[] | null, one: string) =>
    ids === null ? [] : [`${ids.length} ${ids.length === 1 ? one : `${one}s`}`];
  return [
    ...(scopes.read_only ? ['Read-only'] : []),
    ...count(scopes.tasks, 'task'),
    ...count(scopes.models, 'model'),
  ].join(', ');
}
