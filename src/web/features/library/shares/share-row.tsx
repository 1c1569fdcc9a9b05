import { Link } from '@tanstack/react-router';
import { ExternalLink, Link2Off, PenLine } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Share } from '#contract/resources/share.ts';
import { RowCreator } from '#web/collections/creator.tsx';
import { CollectionCover } from '#web/media/library/collections/collection-cover.tsx';
import { Badge } from '#web/ui/display/badge.tsx';
import { buttonClass } from '#web/ui/controls/button.tsx';
import { CopyButton } from '#web/ui/controls/copy-button.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { RelativeTime } from '#web/ui/display/relative-time.tsx';
import { describeShare, formatAnswers, formatViews, STATUS_LABELS } from '#web/forms/shares/share-labels.ts';

interface ShareRowProps {
  share: Share;
  /** null: it can't be changed. */
  onEdit: (() => void) | null;
  /** null: it can't be ended. */
  onEnd: (() => void) | null;
}

export function ShareRow({ share, onEdit, onEnd }: ShareRowProps) {
  const { label, tone } = STATUS_LABELS[share.status];
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-line bg-surface p-3">
      <CollectionCover collection={share} className="size-12 rounded-md" />
      <div className="flex min-w-0 flex-[1_1_14rem] flex-col gap-0.5">
        <div className="flex min-w-0 items-center gap-2">
          <ShareName share={share} />
          <Badge tone={tone}>{label}</Badge>
        </div>
        <p className="text-sm text-ink-3">
          <ShareTimes share={share} /> · {formatViews(share.view_count)} · {describeShare(share)}
        </p>
        <RowCreator created_by={share.created_by} />
      </div>
      <div className="ml-auto flex flex-wrap items-center justify-end gap-1">
        {share.answer_count > 0 ? (
          <span className="flex justify-end max-sm:w-full">
            <Link to="/library" search={{ link: share.id }} className={buttonClass({ size: 'sm', variant: 'ghost' })}>
              {formatAnswers(share)}
            </Link>
          </span>
        ) : null}
        {share.url && share.status === 'active' ? (
          <>
            <CopyButton text={share.url} label="Copy link" labeled />
            <a
              href={share.url}
              target="_blank"
              rel="noreferrer"
              aria-label="Open page"
              data-tooltip="Open page"
              className="inline-flex size-7 flex-none items-center justify-center rounded-md text-ink-2 hover:bg-hover hover:text-ink pointer-coarse:size-9"
            >
              <ExternalLink aria-hidden="true" className="size-4" />
            </a>
          </>
        ) : null}
        {onEdit ? (
          <IconButton
            size="sm"
            label="Change page"
            icon={<PenLine aria-hidden="true" className="size-4" />}
            onClick={onEdit}
          />
        ) : null}
        {onEnd ? (
          <IconButton
            size="sm"
            label="End link"
            icon={<Link2Off aria-hidden="true" className="size-4" />}
            onClick={onEnd}
          />
        ) : null}
      </div>
    </li>
  );
}

function ShareName({ share }: { share: Share }): ReactNode {
  const { title, name, media_id, media_ids, collection_id } = share;
  const more = (media_ids?.length ?? 1) - 1;
  const text =
    title ?? (name && more > 0 ? `${name} and ${more} more` : name) ?? (collection_id ? 'Deleted collection' : 'File');
  const search = collection_id ? { collection: collection_id } : media_id ? { item: media_id } : null;
  if (!search || name === null)
    return (
      <span dir="auto" className="min-w-0 truncate font-medium">
        {text}
      </span>
    );
  return (
    <Link to="/library" search={search} dir="auto" className="min-w-0 truncate rounded-sm font-medium hover:underline">
      {text}
    </Link>
  );
}

function ShareTimes({ share: { created_at, expires_at, revoked_at } }: { share: Share }): ReactNode {
  if (revoked_at)
    return (
      <>
        Ended <RelativeTime at={revoked_at} />
      </>
    );
  return (
    <>
      Shared <RelativeTime at={created_at} />
      {expires_at ? (
        <>
          , until <RelativeTime mayBeFuture at={expires_at} />
        </>
      ) : (
        ', no end'
      )}
    </>
  );
}
