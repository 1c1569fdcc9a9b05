import { useQuery } from '@tanstack/react-query';
import { LEDGER_TYPES, type LedgerType, PROGRAMS } from '#contract/money/ledger.ts';
import { TASK_IDS } from '#contract/ids.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { knownModels, knownTasks, parseModel } from '#web/api/known-models.ts';
import { disambiguateNames } from '#web/api/queries/key-labels.ts';
import { keysQuery } from '#web/api/queries/keys.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import {
  choiceRow,
  dayRows,
  linkRow,
  parseSearch,
  type SearchOf,
  tagsRow,
  textRow,
} from '#web/collections/filter-rows.ts';
import { omitUndefined, parseId, parseOption } from '#web/ui/search-params.ts';
import { PERIOD_PRESETS } from '../period.ts';
import { usePersonOptions } from '../use-person-options.ts';
import { LEDGER_TYPE_LABELS } from './ledger-type-labels.ts';

const TYPE_OPTIONS = LEDGER_TYPES.map((value) => ({ value, label: LEDGER_TYPE_LABELS[value].label }));

function useTaskOptions() {
  const names = useCatalogNames();
  return knownTasks().map((value) => ({ value, label: names.task(value) }));
}

function useModelOptions() {
  const names = useCatalogNames();
  return knownModels().map((value) => ({ value, label: names.model(value) }));
}

/** Members cannot list keys, so they get only the key of the address. */
function useKeyOptions(selected: string | undefined) {
  const { data = [] } = useQuery({ ...keysQuery, enabled: useCan('keys.manage') });
  const options = disambiguateNames(data).map(({ id, name }) => ({ value: id, label: name }));
  if (selected === undefined || options.some(({ value }) => value === selected)) return options;
  return [...options, { value: selected, label: `Key …${selected.slice(-6)}` }];
}

/** Who sees only their own charges gets only the person of the address. */
function useChargedOptions(selected: string | undefined) {
  const people = usePersonOptions(selected);
  const [canSeeAll, canSeePeople] = [useCan('billing.read'), useCan('people.read')];
  return canSeeAll && canSeePeople ? people : people.filter(({ value }) => value === selected);
}

const parseEntryNumber = (value: unknown) =>
  Number.isSafeInteger(Number(value)) && Number(value) > 0 && Number(value) < 1e15 ? Number(value) : undefined;
const lastSix = (name: string) => (id: string) => `${name} …${id.slice(-6)}`;

/** `q` is the number, id or amount of an entry, or words; `person` may be `(none)`: programs. */
export const LEDGER_FILTERS = {
  q: textRow('Search the ledger'),
  type: choiceRow({
    query: 'type',
    label: 'Entry type',
    all: 'All types',
    parse: (raw) => parseOption(LEDGER_TYPES, raw),
    useOptions: () => TYPE_OPTIONS,
    place: 'bar',
  }),
  task: choiceRow({
    query: 'task',
    label: 'Task',
    all: 'All tasks',
    parse: (raw) => parseOption(TASK_IDS, raw),
    useOptions: useTaskOptions,
    place: 'bar',
  }),
  model: choiceRow({
    query: 'model',
    label: 'Model',
    all: 'All models',
    parse: parseModel,
    useOptions: useModelOptions,
    place: 'bar',
  }),
  key: choiceRow({
    query: 'key_id',
    label: 'Key',
    all: 'All keys',
    parse: parseId,
    useOptions: useKeyOptions,
    place: 'bar',
  }),
  person: choiceRow({
    query: 'person_id',
    label: 'Person',
    all: 'Everyone',
    parse: (raw) => (raw === PROGRAMS ? PROGRAMS : parseId(raw)),
    useOptions: useChargedOptions,
    place: 'bar',
  }),
  ...dayRows({ after: 'created_after', before: 'created_before', utc: PERIOD_PRESETS, none: 'All time', place: 'bar' }),
  tags: tagsRow(),
  generation: linkRow({ query: 'generation_id', parse: parseId, chip: lastSix('Generation') }),
  run: linkRow({ query: 'workflow_run_id', parse: parseId, chip: lastSix('Workflow run') }),
  entry: linkRow({ query: 'seq', parse: parseEntryNumber, chip: (seq) => `Entry #${seq}` }),
};

/** The ledger's filters in the URL. `from` and `to` are UTC days, `YYYY-MM-DD`, both inclusive. */
export interface LedgerSearch extends SearchOf<typeof LEDGER_FILTERS> {
  /** Every entry in a row of its own, instead of one row for each charge. */
  ledger?: 'entries' | undefined;
  /** ID of the entry in the details panel. */
  open?: string | undefined;
}

/** Reservations and releases are folded into charges, so only single entries can be filtered by these. */
const ENTRY_ONLY_TYPES: ReadonlySet<LedgerType> = new Set(['RESERVE', 'RELEASE']);

export const showsEntries = ({ ledger, type }: Pick<LedgerSearch, 'ledger' | 'type'>): boolean =>
  ledger === 'entries' || (type !== undefined && ENTRY_ONLY_TYPES.has(type));

export const lineTypes = LEDGER_TYPES.filter((type) => !ENTRY_ONLY_TYPES.has(type));

export const parseLedgerSearch = (raw: Record<string, unknown>): LedgerSearch =>
  omitUndefined({
    ...parseSearch(LEDGER_FILTERS, raw),
    ledger: parseOption(['entries'] as const, raw['ledger']),
    open: parseId(raw['open']),
  });
