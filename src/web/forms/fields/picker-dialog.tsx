import { useState } from 'react';
import type { MediaKind } from '#contract/task.ts';
import { PickerGrid } from '#web/forms/fields/picker-grid.tsx';
import { useEarlierResults, useUploads } from '#web/forms/fields/use-library.ts';
import { countOf, MEDIA_NOUNS } from '#web/forms/field-words.ts';
import { rememberMedia } from '#web/forms/media-info.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Tabs } from '#web/ui/tabs.tsx';

type Shelf = 'results' | 'uploads';

export interface PickerDialogProps {
  media: MediaKind;
  /** How many may be chosen. */
  room: number;
  onPick: (urls: readonly string[]) => void;
  onClose: () => void;
}

/** Chooses among what was made and uploaded before. */
export function PickerDialog({ media, room, onPick, onClose }: PickerDialogProps) {
  const [shelf, setShelf] = useState<Shelf>('results');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const results = useEarlierResults(media);
  const uploads = useUploads(media);
  const [one, many] = MEDIA_NOUNS[media];
  const shelves = { results, uploads } satisfies Record<Shelf, typeof results>;
  const open = shelves[shelf];

  const pick = (urls: readonly string[]) => {
    for (const medium of [...results.media, ...uploads.media]) if (urls.includes(medium.url)) rememberMedia(medium);
    onPick(urls);
    onClose();
  };
  const toggle = (url: string) => {
    if (room === 1) return pick([url]);
    setChosen(chosen.includes(url) ? chosen.filter((each) => each !== url) : [...chosen, url].slice(-room));
  };
  const grid = (
    <PickerGrid
      key={shelf}
      shelf={open}
      media={media}
      chosen={chosen}
      onToggle={toggle}
      empty={
        shelf === 'results'
          ? `No ${many} were made here yet.`
          : `No ${many} were uploaded yet. Close this and drop a file instead.`
      }
    />
  );
  return (
    <Dialog
      open
      onClose={onClose}
      size="lg"
      title={room === 1 ? `Choose a ${one}` : `Choose ${many}`}
      description={room === 1 ? undefined : `Up to ${room}, in the order you pick them.`}
      footer={
        room === 1 ? null : (
          <>
            <Button variant="ghost" onClick={onClose}>
              Cancel
            </Button>
            <Button variant="primary" disabled={chosen.length === 0} onClick={() => pick(chosen)}>
              {chosen.length === 0 ? 'Add' : `Add ${countOf(media, chosen.length)}`}
            </Button>
          </>
        )
      }
    >
      {uploads.missing ? (
        grid
      ) : (
        <Tabs
          label="Where from"
          value={shelf}
          onChange={setShelf}
          tabs={[
            { value: 'results', label: 'Results' },
            { value: 'uploads', label: 'Uploads' },
          ]}
        >
          {grid}
        </Tabs>
      )}
    </Dialog>
  );
}
