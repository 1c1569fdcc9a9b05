import { type ReactNode, useRef, useState } from 'react';
import { AudioLines, FolderOpen, ImagePlus, Images, Link2, type LucideIcon, Video } from 'lucide-react';
import type { MediaKind, ReferenceFieldSpec, ReferencesFieldSpec } from '#contract/task.ts';
import { ACCEPTED_FILE_TYPES } from '../accepted-file-types.ts';
import { useTaskForm } from '../form-context.ts';
import { MEDIA_NOUNS, mediaNounWithArticle } from '#web/media/format-media.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { FileInput } from '#web/ui/controls/file-input.tsx';
import { cx } from '#web/ui/cx.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';

const PickerDialog = lazyComponent(async () => (await import('./picker-dialog.tsx')).PickerDialog);

const icons = { image: ImagePlus, video: Video, audio: AudioLines } satisfies Record<MediaKind, LucideIcon>;

export interface MediaSourcesProps {
  field: ReferenceFieldSpec | ReferencesFieldSpec;
  room: number;
  /** `big` for the main input of a task, `row` for an optional one, `foot` below a list. */
  size: 'big' | 'row' | 'foot';
  onFiles: (files: readonly File[]) => void;
  onPick: (urls: readonly string[]) => void;
  onLink: () => void;
  /** Further buttons. */
  children?: ReactNode;
}

export function MediaSources({ field, room, size, onFiles, onPick, onLink, children }: MediaSourcesProps) {
  const { signedIn } = useTaskForm();
  const input = useRef<HTMLInputElement>(null);
  const [isPickerOpen, setIsPickerOpen] = useState(false);
  const noun = room === 1 ? mediaNounWithArticle(field.media) : MEDIA_NOUNS[field.media][1];
  const Icon = icons[field.media];
  const buttonProps = { size: 'sm', variant: 'ghost' } as const;
  // Two of these fields share a row.
  const isNarrow = field.group === 'frames';
  const renderIcon = (Shape: LucideIcon) => (isNarrow ? null : <Shape aria-hidden="true" className="size-4" />);
  return (
    <fieldset
      aria-label={field.label}
      className={cx(
        'flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1',
        size === 'big' && 'flex-col justify-center gap-y-2 px-4 py-6 text-center',
        // A fieldset does not center its content in a minimum height.
        size === 'row' && 'justify-between py-1.75 pr-1.5 pl-3',
        isNarrow && size === 'row' && 'py-4.25',
        size === 'foot' && 'mt-1.5 justify-end',
      )}
    >
      {size === 'foot' ? null : (
        <p
          className={cx(
            'flex min-h-7 items-center gap-2 text-sm leading-none text-ink-3',
            size === 'big' && 'flex-col text-ink-2',
          )}
        >
          <Icon aria-hidden="true" className={cx('stroke-[1.5] text-ink-3', size === 'big' ? 'size-6' : 'size-4.5')} />
          {signedIn ? (
            <>
              <span className="pointer-coarse:hidden">Drop or paste {noun}</span>
              <span className="hidden pointer-coarse:inline">Add {noun}</span>
            </>
          ) : (
            'Sign in to upload, or add a URL'
          )}
        </p>
      )}
      <div className={cx('flex flex-wrap items-center', isNarrow && '-ml-2.5')}>
        {children}
        {signedIn ? (
          <>
            <FileInput ref={input} accept={ACCEPTED_FILE_TYPES[field.media]} multiple={room > 1} onChoose={onFiles} />
            <Button {...buttonProps} icon={renderIcon(FolderOpen)} onClick={() => input.current?.click()}>
              Upload
            </Button>
            <Button {...buttonProps} icon={renderIcon(Images)} onClick={() => setIsPickerOpen(true)}>
              Library
            </Button>
          </>
        ) : null}
        <Button {...buttonProps} icon={renderIcon(Link2)} onClick={onLink}>
          URL
        </Button>
      </div>
      {isPickerOpen ? (
        <PickerDialog media={field.media} room={room} onClose={() => setIsPickerOpen(false)} onPick={onPick} />
      ) : null}
    </fieldset>
  );
}
