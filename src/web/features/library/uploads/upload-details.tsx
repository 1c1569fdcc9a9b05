import { useQueryClient } from '@tanstack/react-query';
import { Download, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ListedUpload, UploadDetail } from '#contract/resources/upload.ts';
import { formatFileType } from '#web/forms/format-file-type.ts';
import { useCreatorFact } from '#web/collections/creator.tsx';
import { formatMediaMeasures, formatFileSize } from '#web/media/format-media.ts';
import { MEDIA_TYPE_LABELS } from '#web/media/library/media-labels.ts';
import { RetentionDate } from '#web/media/library/retention-date.tsx';
import { useMoveToTrash } from '#web/media/library/selection/use-move-to-trash.ts';
import { AssetView } from '#web/media/outputs/asset-view.tsx';
import { downloadHref } from '#web/media/outputs/download-link.tsx';
import { ContinueWithMenu } from '#web/media/outputs/continue-with-menu.tsx';
import { useCan } from '#web/api/queries/permissions.ts';
import { removeCachedUploads, uploadQuery } from '#web/api/queries/uploads.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { CopyShareLinkButton } from '#web/forms/shares/copy-share-link-button.tsx';
import { ShareButton } from '#web/forms/shares/share-button.tsx';
import { CopyableCode } from '#web/ui/code-block.tsx';
import { ExactTime } from '#web/ui/relative-time.tsx';
import { DescriptionList, Section } from '#web/ui/section.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { uploadName } from './upload-labels.ts';
import type { UsedBy as Uses } from '#contract/resources/media.ts';
import { GenerationLinks } from '#web/forms/inputs/generation-links.tsx';
import { formatNumber } from '#web/ui/formats.ts';

const MAX_SHOWN = 5;

function UploadUsage({ used_by: { count, active_count, generation_ids } }: { used_by: Uses }) {
  if (count === 0) return <p className="text-sm text-ink-3">Not used yet.</p>;
  const shown = generation_ids.slice(0, MAX_SHOWN);
  return (
    <>
      <p className="text-sm text-ink-2">
        {count === 1 ? '1 generation' : `${formatNumber(count)} generations`}
        {active_count > 0 ? `, ${active_count === count ? 'in progress' : `${active_count} in progress`}` : ''}
        {count > shown.length ? '. Newest:' : '.'}
      </p>
      <GenerationLinks ids={shown} />
    </>
  );
}

interface UploadDetailsProps {
  upload: ListedUpload | UploadDetail;
  onDeleted: () => void;
}

export function UploadDetails({ upload, onDeleted }: UploadDetailsProps) {
  const moveToTrash = useMoveToTrash();
  const canDelete = useCan('work.create');
  const client = useQueryClient();
  const creator = useCreatorFact(upload.created_by);
  const { id, type, url } = upload;
  return (
    <div className="flex flex-col gap-7">
      <div className="flex flex-col gap-3">
        <AssetView asset={upload} label={uploadName(upload)} source={[uploadQuery(id).queryKey]} />
        <div className="flex flex-wrap items-center gap-2">
          <a href={downloadHref(url)} download className={buttonClass()}>
            <Download aria-hidden="true" className="size-4" />
            Download
          </a>
          <ContinueWithMenu type={type} mediaIds={[id]} />
          <ShareButton mediaIds={[id]} />
          <CopyShareLinkButton mediaId={id} />
          {canDelete ? (
            <Button
              variant="ghost"
              icon={<Trash2 aria-hidden="true" className="size-4" />}
              onClick={() =>
                void moveToTrash([id], (gone) => {
                  if (gone.has(id)) onDeleted();
                  removeCachedUploads(client, gone);
                })
              }
            >
              Delete
            </Button>
          ) : null}
        </div>
      </div>
      <Section title="Used by">
        {'used_by' in upload ? <UploadUsage used_by={upload.used_by} /> : <Skeleton className="h-4 w-40" />}
      </Section>
      <Section title="Details">
        <DescriptionList rows={factRows(upload, creator)} />
      </Section>
    </div>
  );
}

interface Fact {
  name: string;
  value: ReactNode;
}

function factRows(upload: ListedUpload, creator: Fact[]): Fact[] {
  const { id, type, filename, mime_type, size_bytes, sha256, created_at, kept_until, expires_at } = upload;
  const dimensions = formatMediaMeasures({ ...upload, name: null });
  return [
    ...(filename ? [{ name: 'Name', value: filename }] : []),
    { name: 'Type', value: MEDIA_TYPE_LABELS[type] },
    ...(dimensions ? [{ name: type === 'audio' ? 'Duration' : 'Dimensions', value: dimensions }] : []),
    { name: 'File', value: `${formatFileType(mime_type)} · ${formatFileSize(size_bytes)}` },
    ...creator,
    { name: 'Uploaded', value: <ExactTime at={created_at} /> },
    { name: 'Retention', value: <RetentionDate at={kept_until ?? null} /> },
    ...(expires_at ? [{ name: 'Link expires', value: <ExactTime at={expires_at} /> }] : []),
    { name: 'SHA-256', value: <CopyableCode text={sha256} label="Copy SHA-256" /> },
    { name: 'ID', value: <CopyableCode text={id} label="Copy ID" /> },
  ];
}
