import { FolderOpen } from 'lucide-react';
import { useRef, useState } from 'react';
import type { MediaKind } from '#contract/task.ts';
import { ACCEPTED_FILE_TYPES } from '#web/forms/accepted-file-types.ts';
import { ReferenceTile } from '#web/forms/fields/reference-tile.tsx';
import { UploadItemTile } from '#web/forms/fields/upload-item-tile.tsx';
import { MEDIA_NOUNS } from '#web/media/format-media.ts';
import { moveItem } from '#web/forms/values/move-item.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { Field } from '#web/ui/controls/field.tsx';
import { FileInput } from '#web/ui/controls/file-input.tsx';
import { RESULT_FIELD, type ResultFilesState } from './use-result-files.ts';

interface ResultFilesProps {
  files: ResultFilesState;
  media: MediaKind;
  /** null: any number. */
  maxCount: number | null;
  problem: string | undefined;
}

export function ResultFiles({
  files: { fieldUploads, uploads, setUploads, uploadItems },
  media,
  maxCount,
  problem,
}: ResultFilesProps) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const [hovered, setHovered] = useState<number | null>(null);
  const [one, many] = MEDIA_NOUNS[media];
  const room = (maxCount ?? 100) - uploads.length - uploadItems.length;
  const upload = (selected: readonly File[]) =>
    fieldUploads.add(RESULT_FIELD, media, selected.slice(0, Math.max(0, room)));
  return (
    <Field label={maxCount === 1 ? 'File' : 'Files, in order'} error={problem} group>
      <div
        data-drop={room > 0 ? 'into the result' : undefined}
        onDragOver={(event) => {
          if (room <= 0 || !event.dataTransfer.types.includes('Files')) return;
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          setOver(false);
          event.preventDefault();
          upload([...event.dataTransfer.files]);
        }}
        className={cx(
          'rounded-md border border-dashed p-1.5',
          over ? 'border-amber bg-amber-soft' : 'border-line-strong',
        )}
      >
        {uploads.length + uploadItems.length > 0 ? (
          <ul aria-label="Result files" className="mb-1.5 grid grid-cols-[repeat(auto-fill,minmax(8rem,1fr))] gap-1.5">
            {uploads.map((item, at) => (
              <ReferenceTile
                key={item.id}
                item={item}
                media={media}
                at={at}
                count={uploads.length}
                with_role={false}
                problem={undefined}
                target={hovered === at}
                onHover={setHovered}
                onMove={(to) => setUploads(moveItem(uploads, at, to))}
                onRemove={() => setUploads(uploads.filter(({ id }) => id !== item.id))}
                onRole={() => undefined}
              />
            ))}
            {uploadItems.map((pending) => (
              <UploadItemTile key={pending.id} item={pending} />
            ))}
          </ul>
        ) : null}
        {room > 0 ? (
          <div className="flex items-center justify-between gap-3 pl-2">
            <p className="text-sm text-ink-3">Drop {maxCount === 1 ? `a ${one}` : many}</p>
            <FileInput ref={input} accept={ACCEPTED_FILE_TYPES[media]} multiple={room > 1} onChoose={upload} />
            <Button
              data-invalid={problem ? '' : undefined}
              size="sm"
              variant="ghost"
              icon={<FolderOpen aria-hidden="true" className="size-4" />}
              onClick={() => input.current?.click()}
            >
              Upload
            </Button>
          </div>
        ) : null}
      </div>
    </Field>
  );
}
