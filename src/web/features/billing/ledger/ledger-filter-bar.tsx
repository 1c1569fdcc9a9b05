import { LEDGER_TYPES, PROGRAMS } from '#contract/ledger.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { isTaskId } from '#contract/catalog.ts';
import { isModelId, knownModels, knownTasks } from '#web/api/known-models.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { disambiguateNames } from '#web/api/queries/key-labels.ts';
import { keysQuery } from '#web/api/queries/keys.ts';
import { tagsQuery } from '#web/api/queries/settings.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { Select } from '#web/ui/select.tsx';
import { PeriodSelect } from '../period-select.tsx';
import { usePersonOptions } from '../use-person-options.ts';
import { LEDGER_TYPE_LABELS } from './ledger-type-labels.ts';
import { type LedgerSearch, lineTypes, showsEntries } from './ledger-search.ts';
import { X } from 'lucide-react';

interface LedgerFilterBarProps {
  search: LedgerSearch;
  onChange: (change: Partial<LedgerSearch>) => void;
}

const ALL = 'all';

export function LedgerFilterBar({ search, onChange }: LedgerFilterBarProps) {
  const { type, from, to, task, model, key, person, tags, generation, run, entry } = search;
  const defined = useQuery(tagsQuery).data ?? [];
  const labels = new Map(defined.map(({ name, label }) => [name, label]));
  const listedTags = defined.filter(({ values }) => values !== null);
  const people = usePersonOptions(person);
  const [canSeeAll, canSeePeople] = [useCan('billing.read'), useCan('people.read')];
  const canFilterPeople = canSeeAll && canSeePeople;
  const types = showsEntries(search) ? LEDGER_TYPES : lineTypes;
  const keys = useKeyOptions(key);
  const names = useCatalogNames();
  return (
    <div className="mb-3 grid grid-cols-2 items-start gap-3 sm:flex sm:flex-wrap">
      {generation ? (
        <FilterChip
          name="Generation"
          value={`…${generation.slice(-6)}`}
          onRemove={() => onChange({ generation: undefined })}
        />
      ) : null}
      {entry ? <FilterChip name="Entry" value={`#${entry}`} onRemove={() => onChange({ entry: undefined })} /> : null}
      {person && !canFilterPeople ? (
        <FilterChip
          name="Person"
          value={person === PROGRAMS ? 'Programs' : `…${person.slice(-6)}`}
          onRemove={() => onChange({ person: undefined })}
        />
      ) : null}
      {Object.entries(tags ?? {})
        .filter(([name]) => !listedTags.some((tag) => tag.name === name))
        .map(([name, value]) => (
          <FilterChip
            key={name}
            name={labels.get(name) ?? name}
            value={value ?? '(none)'}
            onRemove={() => onChange({ tags: withTag(tags, name, undefined) })}
          />
        ))}
      {run ? (
        <>
          <FilterChip name="Workflow run" value={`…${run.slice(-6)}`} onRemove={() => onChange({ run: undefined })} />
          <Link
            to="/workflows/runs/$id"
            params={{ id: run }}
            search={{}}
            className="flex h-9 items-center text-sm text-ink-2 underline underline-offset-2 hover:text-ink pointer-coarse:h-11"
          >
            Open run
          </Link>
        </>
      ) : null}
      <Select
        aria-label="Entry type"
        className="sm:w-36"
        value={type ?? ALL}
        options={[
          { value: ALL, label: 'All types' },
          ...types.map((value) => ({ value, label: LEDGER_TYPE_LABELS[value].label })),
        ]}
        onChange={(value) => onChange({ type: LEDGER_TYPES.find((option) => option === value) })}
      />
      <Select
        aria-label="Task"
        className="sm:w-40"
        value={task ?? ALL}
        options={[
          { value: ALL, label: 'All tasks' },
          ...knownTasks().map((value) => ({ value, label: names.task(value) })),
        ]}
        onChange={(value) => onChange({ task: isTaskId(value) ? value : undefined })}
      />
      <Select
        aria-label="Model"
        className="sm:w-44"
        value={model ?? ALL}
        options={[
          { value: ALL, label: 'All models' },
          ...knownModels().map((value) => ({ value, label: names.model(value) })),
        ]}
        onChange={(value) => onChange({ model: isModelId(value) ? value : undefined })}
      />
      {keys ? (
        <Select
          aria-label="Key"
          className="sm:w-40"
          value={key ?? ALL}
          options={[{ value: ALL, label: 'All keys' }, ...keys]}
          onChange={(value) => onChange({ key: value === ALL ? undefined : value })}
        />
      ) : null}
      {canFilterPeople ? (
        <Select
          aria-label="Person"
          className="sm:w-40"
          value={person ?? ALL}
          options={[{ value: ALL, label: 'Everyone' }, ...people]}
          onChange={(value) => onChange({ person: value === ALL ? undefined : value })}
        />
      ) : null}
      {listedTags.map(({ name, label, values }) => (
        <Select
          key={name}
          aria-label={label}
          className="sm:w-40"
          value={tagOption(tags?.[name])}
          options={[
            { value: ALL, label: `${label}: all` },
            { value: NO_VALUE, label: '(none)' },
            ...tagValues(values ?? [], tags?.[name]).map((value) => ({ value: `=${value}`, label: value })),
          ]}
          onChange={(option) => onChange({ tags: withTag(tags, name, readTagOption(option)) })}
        />
      ))}
      <PeriodSelect from={from} to={to} none="All time" onChange={onChange} className="sm:w-44" />
    </div>
  );
}

/** @param value null: work without one; undefined: no filter */
function withTag(tags: LedgerSearch['tags'], name: string, value: string | null | undefined): LedgerSearch['tags'] {
  const { [name]: _removed, ...rest } = tags ?? {};
  const next = value === undefined ? rest : { ...rest, [name]: value };
  return Object.keys(next).length > 0 ? next : undefined;
}

/** Values start with “=”, so that none can be mistaken for “all” or “(none)”. */
const NO_VALUE = 'none';
const tagOption = (value: string | null | undefined) =>
  value === undefined ? ALL : value === null ? NO_VALUE : `=${value}`;
const readTagOption = (option: string) => (option === ALL ? undefined : option === NO_VALUE ? null : option.slice(1));
/** A link may name a value that is no longer on the list. */
const tagValues = (values: readonly string[], selected: string | null | undefined) =>
  typeof selected === 'string' && !values.includes(selected) ? [...values, selected] : values;

/** Options of the key filter. Members cannot list keys, so they get only the key in the URL. */
function useKeyOptions(selectedId: string | undefined) {
  const canList = useCan('keys.manage');
  const { data, isPending } = useQuery({ ...keysQuery, enabled: canList });
  const options = disambiguateNames(data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  if (selectedId === undefined || options.some(({ value }) => value === selectedId))
    return options.length > 0 || (canList && isPending) ? options : null;
  return [...options, { value: selectedId, label: `Key …${selectedId.slice(-6)}` }];
}

/** A filter set by a link rather than a menu. Pressing it removes it. */
function FilterChip({ name, value, onRemove }: { name: string; value: string; onRemove: () => void }) {
  return (
    <button
      type="button"
      aria-label={`Remove filter: ${name.toLowerCase()}`}
      onClick={onRemove}
      className="flex h-9 min-w-0 items-center gap-1.5 rounded-md bg-hover pr-2 pl-3 text-sm text-ink-2 transition-colors hover:text-ink pointer-coarse:h-11"
    >
      <span className="max-w-56 truncate">
        <bdi>{name}</bdi> · <bdi>{value}</bdi>
      </span>
      <X aria-hidden="true" className="size-3.5 flex-none" />
    </button>
  );
}
