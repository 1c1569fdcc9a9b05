import { AUDIT_GROUPS, type AuditGroup } from '#contract/audit-actions.ts';
import type { AuditEvent } from '#contract/resources/audit-event.ts';
import { useEveryone } from '#web/api/queries/people.ts';
import { choiceRow, dayRows, linkRow, parseSearch, type SearchOf } from '#web/collections/filter-rows.ts';
import { parseId, parseOption } from '#web/ui/search-params.ts';

const AUDIT_GROUP_LABELS = {
  sign_in: 'Sign-ins',
  session: 'Sessions',
  person: 'People',
  invitation: 'Invitations',
  passkey: 'Passkeys',
  key: 'Keys',
  budget: 'Budgets',
  request: 'Requests',
  credit: 'Credits',
  refund: 'Refunds',
  provider_bill: 'Bills of providers',
  closing: 'Closed months',
  review: 'Reviews',
  provider: 'Providers',
  catalog_label: 'Names of models',
  prices: 'Prices',
  webhook: 'Webhooks',
  generation: 'Generations of others',
  batch: 'Batches',
  workflow_run: 'Workflow runs',
  media: 'Deleted media',
  upload: 'Deleted uploads',
  collection: 'Deleted collections',
  share: 'Share pages',
  added_model: 'Added models',
  workflow: 'Deleted workflows',
  tag: 'Tags',
  preset: 'Shared presets',
  settings: 'Settings',
  alert: 'Alerts',
  export: 'Exports',
  installation: 'Operation',
} satisfies Record<AuditGroup, string>;

const groupOptions = AUDIT_GROUPS.map((value) => ({ value, label: AUDIT_GROUP_LABELS[value] })).sort((a, b) =>
  a.label.localeCompare(b.label),
);

/** Everyone of the organization, the programs of the loaded events, and whoever the address names. */
function useActorOptions(selected: string | undefined, rows: readonly unknown[]) {
  const actors = new Map(useEveryone().map(({ id, name }) => [id, name]));
  // The rows of this list are events.
  for (const { actor } of rows as readonly AuditEvent[])
    if (actor.id !== null && !actors.has(actor.id)) actors.set(actor.id, actor.name);
  if (selected !== undefined && !actors.has(selected)) actors.set(selected, `…${selected.slice(-6)}`);
  return Array.from(actors, ([value, label]) => ({ value, label })).sort((a, b) => a.label.localeCompare(b.label));
}

export const AUDIT_FILTERS = {
  about: choiceRow({
    query: 'action',
    label: 'About',
    all: 'All changes',
    parse: (raw) => parseOption(AUDIT_GROUPS, raw),
    useOptions: () => groupOptions,
    place: 'bar',
  }),
  actor: choiceRow({
    query: 'actor_id',
    label: 'By',
    all: 'Anyone',
    parse: parseId,
    useOptions: useActorOptions,
    place: 'bar',
  }),
  ...dayRows({ after: 'from', before: 'to', place: 'bar' }),
  target: linkRow({ query: 'target_id', parse: parseId, chip: (id) => `Changed: …${id.slice(-6)}` }),
};

export type AuditSearch = SearchOf<typeof AUDIT_FILTERS>;

export const parseAuditSearch = (raw: Record<string, unknown>): AuditSearch => parseSearch(AUDIT_FILTERS, raw);
