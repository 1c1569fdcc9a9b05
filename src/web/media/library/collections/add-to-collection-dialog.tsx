import { useQuery } from '@tanstack/react-query';
import { Check, Plus, Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { MAX_COLLECTION_NAME_LENGTH } from '#contract/limits.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { collectionsOfQuery, collectionsQuery, useCreateCollection } from '#web/api/queries/collections.ts';
import { queryError } from '#web/api/api-errors.ts';
import { cx } from '#web/ui/cx.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Spinner } from '#web/ui/progress.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { showToast } from '#web/ui/toast-store.ts';
import { formatNumber } from '#web/ui/formats.ts';
import { formatFileCount } from '../media-labels.ts';
import { CollectionCover } from './collection-cover.tsx';
import { type CollectionOption, listCollectionOptions } from './collection-options.ts';
import { useCollect } from './use-collect.ts';

type AddToCollectionDialogProps = { onClose: () => void } & (
  | { media_ids: readonly string[] }
  /** Saves the files first, once a collection is chosen. */
  | { title: string; description: string; loadIds: () => Promise<readonly string[]> }
);

/** Adds files to a collection that is chosen by name, or created with the text that was typed. */
export function AddToCollectionDialog({ onClose, ...files }: AddToCollectionDialogProps) {
  const collections = useQuery(collectionsQuery);
  const media_ids = 'media_ids' in files ? files.media_ids : null;
  const [only_id = ''] = media_ids?.length === 1 ? media_ids : [];
  const { data: holding } = useQuery({ ...collectionsOfQuery(only_id), enabled: only_id !== '' });
  const { mutateAsync: createCollection } = useCreateCollection();
  const collect = useCollect();
  const [busy, setBusy] = useState(false);
  const holding_ids = new Set(holding?.map(({ id }) => id));
  const problem = queryError(collections);
  const choose = async (option: CollectionOption) => {
    if (busy) return;
    setBusy(true);
    try {
      const ids = 'media_ids' in files ? files.media_ids : await files.loadIds();
      const target = option.kind === 'create' ? await createCollection({ name: option.name }) : option.collection;
      if (await collect(target, ids)) onClose();
    } catch (error) {
      showToast({
        title: media_ids ? 'Not created' : 'Not saved',
        detail: error instanceof Error ? error.message : undefined,
        tone: 'bad',
      });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      size="sm"
      title={'title' in files ? files.title : 'Add to collection'}
      description={'title' in files ? files.description : formatFileCount(files.media_ids.length)}
      onClose={onClose}
    >
      {collections.data ? (
        <CollectionPicker
          list={(text) => listCollectionOptions(collections.data ?? [], text)}
          holding_ids={holding_ids}
          busy={busy}
          onChoose={(option) => void choose(option)}
        />
      ) : problem ? (
        <LoadError what="Collections" error={problem} onRetry={() => void collections.refetch()} />
      ) : (
        <Loading label="Loading collections" className="flex flex-col gap-2">
          <Skeleton className="h-9 w-full" />
          <Skeleton className="h-40 w-full" />
        </Loading>
      )}
    </Dialog>
  );
}

interface CollectionPickerProps {
  list: (text: string) => CollectionOption[];
  holding_ids: ReadonlySet<string>;
  busy: boolean;
  onChoose: (option: CollectionOption) => void;
}

function CollectionPicker({ list, holding_ids, busy, onChoose }: CollectionPickerProps) {
  const id = useId();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const panel = useRef<HTMLDivElement>(null);
  const options = list(text);
  const at = Math.min(active, options.length - 1);
  useEffect(() => {
    panel.current?.children[at]?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const option = options[at];
    if (step !== undefined) {
      event.preventDefault();
      setActive((at + step + options.length) % Math.max(1, options.length));
    } else if (event.key === 'Enter' && option) {
      event.preventDefault();
      onChoose(option);
    }
  };
  return (
    <div className="flex flex-col gap-2">
      <TextInput
        data-autofocus=""
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- TextInput is an input
        role="combobox"
        aria-label="Find or create a collection"
        aria-autocomplete="list"
        aria-expanded={options.length > 0}
        aria-controls={id}
        aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
        autoComplete="off"
        placeholder="Find or create a collection"
        maxLength={MAX_COLLECTION_NAME_LENGTH}
        value={text}
        prefix={busy ? <Spinner /> : <Search aria-hidden="true" className="size-4" />}
        onChange={(event) => {
          setText(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div
        ref={panel}
        id={id}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- native lists take no pictures
        role="listbox"
        aria-label="Collections"
        className="-mx-2 flex max-h-[min(20rem,45dvh)] min-h-10 flex-col overflow-y-auto"
      >
        {options.map((option, index) => (
          <button
            key={option.kind === 'create' ? '' : option.collection.id}
            type="button"
            tabIndex={-1}
            id={`${id}-${index}`}
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an option element is for native lists only
            role="option"
            aria-selected={index === at}
            // Keeps the focus in the field.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(option)}
            className={cx(
              'flex min-h-10 w-full flex-none items-center gap-2.5 rounded-sm px-2 text-left text-sm hover:bg-hover pointer-coarse:min-h-12',
              index === at && 'bg-hover',
            )}
          >
            <OptionContent option={option} holding_ids={holding_ids} />
          </button>
        ))}
      </div>
      {options.length === 0 ? <p className="text-sm text-ink-3">Type a name to create the first collection.</p> : null}
    </div>
  );
}

function OptionContent({ option, holding_ids }: { option: CollectionOption; holding_ids: ReadonlySet<string> }) {
  if (option.kind === 'create')
    return (
      <>
        <span className="flex size-7 flex-none items-center justify-center rounded-xs bg-sunken">
          <Plus aria-hidden="true" className="size-4 text-ink-3" />
        </span>
        <span className="min-w-0 truncate">Create “{option.name}”</span>
      </>
    );
  const { collection } = option;
  return (
    <>
      <CollectionCover collection={collection} className="size-7" />
      <span dir="auto" className="min-w-0 flex-1 truncate">
        {collection.name}
      </span>
      {holding_ids.has(collection.id) ? (
        <span className="flex items-center gap-1 text-xs text-ink-3">
          <Check aria-hidden="true" className="size-3.5" />
          Already in
        </span>
      ) : (
        <span className="text-xs text-ink-3 tabular-nums">{formatNumber(collection.media_count)}</span>
      )}
    </>
  );
}
