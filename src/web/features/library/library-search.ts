import { CLIENT_VERDICTS, MEDIA_ORIGINS } from '#contract/statuses.ts';
import { MEDIA_KINDS } from '#contract/task.ts';
import { CLIENT_VERDICT_LABELS } from '#web/api/client-answer-labels.ts';
import { knownTasks } from '#web/api/known-models.ts';
import {
  choiceRow,
  dayRows,
  fileTagRow,
  linkRow,
  parseSearch,
  personRow,
  type SearchOf,
  starredRow,
  tagsRow,
  taskModelRows,
  textRow,
} from '#web/collections/filter-rows.ts';
import { omitUndefined, parseId, parseOption, parsePattern } from '#web/ui/search-params.ts';

const KIND_OPTIONS = [
  { value: 'image', label: 'Images' },
  { value: 'video', label: 'Videos' },
  { value: 'audio', label: 'Audio' },
];
const ORIGIN_OPTIONS = [
  { value: 'generated', label: 'Results' },
  { value: 'upload', label: 'Uploads' },
];
const ANSWER_OPTIONS = Object.entries({ any: 'Answered by a client', ...CLIENT_VERDICT_LABELS }).map(
  ([value, label]) => ({ value, label }),
);

export const LIBRARY_FILTERS = {
  q: textRow('Search the library'),
  kind: choiceRow({
    query: 'type',
    label: 'Type',
    all: 'All',
    parse: (raw) => parseOption(MEDIA_KINDS, raw),
    useOptions: () => KIND_OPTIONS,
    place: 'segments',
  }),
  starred: starredRow(),
  person: personRow(),
  tags: tagsRow(),
  label: fileTagRow(),
  answer: choiceRow({
    query: 'client_answer',
    label: 'Client answers',
    all: 'Any or none',
    parse: (raw) => parseOption(['any', ...CLIENT_VERDICTS] as const, raw),
    useOptions: () => ANSWER_OPTIONS,
  }),
  /** A share page: only files that clients answered about there. */
  link: linkRow({ query: 'share_id', parse: parseId, chip: () => 'Answers on one shared link' }),
  origin: choiceRow({
    query: 'origin',
    label: 'Source',
    all: 'All',
    parse: (raw) => parseOption(MEDIA_ORIGINS, raw),
    useOptions: () => ORIGIN_OPTIONS,
    // No task made an upload.
    also: (origin) => (origin === 'upload' ? { task: undefined, model: undefined, tags: undefined } : {}),
  }),
  ...taskModelRows({
    tasks: () => knownTasks().filter((id) => id !== 'social.search'),
    isDisabled: ({ origin }) => origin === 'upload',
  }),
  ...dayRows({ after: 'created_after', before: 'created_before' }),
  /** The open one. */
  collection: { ...linkRow({ query: 'collection_id', parse: parseId }), isView: true as const },
};

const { tags: _tags, origin: _origin, task: _task, model: _model, collection: _collection, ...rows } = LIBRARY_FILTERS;
export const UPLOAD_FILTERS = { ...rows, q: textRow('Search uploads') };
export const TRASH_FILTERS = { ...LIBRARY_FILTERS, q: textRow('Search the trash') };

export type LibraryFilters = SearchOf<typeof LIBRARY_FILTERS>;

interface OpenMedia {
  item?: string | undefined;
  show?: 'lineage' | undefined;
  /** IDs of the two compared files, separated by a comma. */
  compare?: string | undefined;
}

export type LibrarySearch = LibraryFilters & OpenMedia;

const ID = '(?:ast|upl)_[0-9a-hjkmnp-tv-z]{26}';
const SINGLE_ID = new RegExp(`^${ID}$`);
const ID_PAIR = new RegExp(`^${ID},${ID}$`);

function parseOpenMedia(raw: Record<string, unknown>): OpenMedia {
  const item = parsePattern(SINGLE_ID, raw['item']);
  return {
    item,
    show: item ? parseOption(['lineage'], raw['show']) : undefined,
    compare: item ? undefined : parsePattern(ID_PAIR, raw['compare']),
  };
}

export const parseLibrarySearch = (raw: Record<string, unknown>): LibrarySearch =>
  omitUndefined({ ...parseSearch(LIBRARY_FILTERS, raw), ...parseOpenMedia(raw) });

export const parseUploadsSearch = (raw: Record<string, unknown>): LibrarySearch =>
  omitUndefined({ ...parseSearch(UPLOAD_FILTERS, raw), ...parseOpenMedia(raw) });
