import { Autocomplete } from '@base-ui/react/autocomplete';
import { useQuery } from '@tanstack/react-query';
import { Check, Plus, Search } from 'lucide-react';
import { useState } from 'react';
import { MAX_COLLECTION_NAME_LENGTH } from '#contract/limits.ts';
import { LoadingOrError } from '#web/api/load-error.tsx';
import { collectionsOfQuery, collectionsQuery, useCreateCollection } from '#web/api/queries/collections.ts';
import { onEarlyEnter, optionClass } from '#web/ui/controls/combobox.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Spinner } from '#web/ui/display/progress.tsx';
import { Loading, Skeleton } from '#web/ui/display/skeleton.tsx';
import { TextInput } from '#web/ui/controls/text-input.tsx';
import { showError } from '#web/ui/overlays/toast-error.ts';
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
  const mediaIds = 'media_ids' in files ? files.media_ids : null;
  const [onlyId = ''] = mediaIds?.length === 1 ? mediaIds : [];
  const { data: holding } = useQuery({ ...collectionsOfQuery(onlyId), enabled: onlyId !== '' });
  const { mutateAsync: createCollection } = useCreateCollection();
  const collect = useCollect();
  const [busy, setBusy] = useState(false);
  const holdingIds = new Set(holding?.map(({ id }) => id));
  const choose = async (option: CollectionOption) => {
    if (busy) return;
    setBusy(true);
    try {
      const ids = 'media_ids' in files ? files.media_ids : await files.loadIds();
      const target = option.kind === 'create' ? await createCollection({ name: option.name }) : option.collection;
      if (await collect(target, ids)) onClose();
    } catch (error) {
      showError(mediaIds ? 'Not created' : 'Not saved', error);
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
          holdingIds={holdingIds}
          busy={busy}
          onChoose={(option) => void choose(option)}
        />
      ) : (
        <LoadingOrError query={collections} what="Collections">
          <Loading label="Loading collections" className="flex flex-col gap-2">
            <Skeleton className="h-9 w-full" />
            <Skeleton className="h-40 w-full" />
          </Loading>
        </LoadingOrError>
      )}
    </Dialog>
  );
}

interface CollectionPickerProps {
  list: (text: string) => CollectionOption[];
  holdingIds: ReadonlySet<string>;
  busy: boolean;
  onChoose: (option: CollectionOption) => void;
}

const optionName = (option: CollectionOption) => (option.kind === 'create' ? option.name : option.collection.name);

function CollectionPicker({ list, holdingIds, busy, onChoose }: CollectionPickerProps) {
  const [text, setText] = useState('');
  const options = list(text);
  return (
    <div className="flex flex-col gap-2">
      <Autocomplete.Root
        open
        inline
        mode="none"
        autoHighlight="always"
        keepHighlight
        items={options}
        itemToStringValue={optionName}
        value={text}
        onValueChange={(next, { reason }) => reason === 'input-change' && setText(next)}
      >
        <Autocomplete.Input
          data-autofocus=""
          data-search=""
          aria-label="Find or create a collection"
          placeholder="Find or create a collection"
          maxLength={MAX_COLLECTION_NAME_LENGTH}
          onKeyDown={onEarlyEnter(() => options[0] && onChoose(options[0]))}
          render={<TextInput prefix={busy ? <Spinner /> : <Search aria-hidden="true" className="size-4" />} />}
        />
        <Autocomplete.List
          aria-label="Collections"
          className="-mx-2 flex max-h-[min(20rem,45dvh)] min-h-10 flex-col overflow-y-auto outline-none"
        >
          {(option: CollectionOption) => (
            <Autocomplete.Item
              key={option.kind === 'create' ? '' : option.collection.id}
              value={option}
              onClick={() => onChoose(option)}
              className={`${optionClass} min-h-10 flex-none gap-2.5 text-sm pointer-coarse:min-h-12`}
            >
              <OptionContent option={option} holdingIds={holdingIds} />
            </Autocomplete.Item>
          )}
        </Autocomplete.List>
      </Autocomplete.Root>
      {options.length === 0 ? <p className="text-sm text-ink-3">Type a name to create the first collection.</p> : null}
    </div>
  );
}

function OptionContent({ option, holdingIds }: { option: CollectionOption; holdingIds: ReadonlySet<string> }) {
  if (option.kind === 'create')
    return (
      <>
        <span className="flex size-7 flex-none items-center justify-center rounded-xs bg-sunken">
          <Plus aria-hidden="true" className="size-4 text-ink-3" />
        </span>
        <span className="min-w-0 truncate">
          Create “<bdi>{option.name}</bdi>”
        </span>
      </>
    );
  const { collection } = option;
  return (
    <>
      <CollectionCover collection={collection} className="size-7" />
      <span dir="auto" className="min-w-0 flex-1 truncate">
        {collection.name}
      </span>
      {holdingIds.has(collection.id) ? (
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
