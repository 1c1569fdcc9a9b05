import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Download, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { ListedUpload, UploadDetail } from '#contract/resources/upload.ts';
import { fileType } from '#web/forms/file-type.ts';
import { assetSrc } from '#web/forms/media-info.ts';
import { measureWords, sizeWords } from '#web/forms/media-words.ts';
import { KIND_NAMES } from '#web/library/media-words.ts';
import { retentionSentence } from '#web/library/retention-words.ts';
import { DeleteDialog } from '#web/library/selection/delete-dialog.tsx';
import { AssetView } from '#web/outputs/asset-view.tsx';
import { downloadHref } from '#web/outputs/download-href.ts';
import { UseAsMenu } from '#web/outputs/use-as-menu.tsx';
import { meQuery } from '#web/queries/me.ts';
import { queryKeys } from '#web/queries/query-keys.ts';
import { forgetUploads } from '#web/queries/uploads.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { ExactTime } from '#web/ui/relative-time.tsx';
import { Facts, Section } from '#web/ui/section.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { UsedBy } from './used-by.tsx';
import { nameOf } from './upload-words.ts';

export interface UploadDetailsProps {
  upload: ListedUpload | UploadDetail;
  onDeleted: () => void;
}

/** Everything about one upload: how it looks or sounds, what it is, what it was used for, and what can be done with it. */
export function UploadDetails({ upload, onDeleted }: UploadDetailsProps) {
  const [deleting, setDeleting] = useState(false);
  const client = useQueryClient();
  const { id, type, url } = upload;
  const source = { ...upload, origin: 'upload' as const };
  return (
    <div className="flex flex-col gap-7">
      <div className="flex flex-col gap-3">
        <AssetView asset={upload} label={nameOf(upload)} source={queryKeys.uploads.detail(id)} />
        <div className="flex flex-wrap items-center gap-2">
          <a href={downloadHref(url)} download className={buttonClass()}>
            <Download aria-hidden="true" className="size-4" />
            Download
          </a>
          <UseAsMenu type={type} mediaIds={[id]} />
          <CopyButton text={new URL(assetSrc(url), window.location.href).href} label="Copy link to the file" />
          <Button
            variant="ghost"
            icon={<Trash2 aria-hidden="true" className="size-4" />}
            onClick={() => setDeleting(true)}
          >
            Delete…
          </Button>
        </div>
      </div>
      <Section title="Used by">
        {'used_by' in upload ? <UsedBy used_by={upload.used_by} /> : <Skeleton className="h-4 w-40" />}
      </Section>
      <Section title="Details">
        <Facts rows={factsOf(upload)} />
      </Section>
      {deleting ? (
        <DeleteDialog
          media={new Map([[id, source]])}
          onClose={() => setDeleting(false)}
          onDeleted={(gone) => {
            if (gone.has(id)) onDeleted();
            forgetUploads(client, gone);
          }}
        />
      ) : null}
    </div>
  );
}

function factsOf(upload: ListedUpload): { name: string; value: ReactNode }[] {
  const { id, type, filename, mime_type, size_bytes, sha256, created_at, kept_until, expires_at } = upload;
  const measure = measureWords({ ...upload, name: null });
  return [
    ...(filename ? [{ name: 'Name', value: filename }] : []),
    { name: 'Kind', value: KIND_NAMES[type] },
    ...(measure ? [{ name: type === 'audio' ? 'Length' : 'Measure', value: measure }] : []),
    { name: 'File', value: `${fileType(mime_type)} · ${sizeWords(size_bytes)}` },
    { name: 'Uploaded', value: <ExactTime at={created_at} /> },
    { name: 'Kept until', value: <KeptUntil at={kept_until ?? null} /> },
    ...(expires_at ? [{ name: 'Link works until', value: <ExactTime at={expires_at} /> }] : []),
    { name: 'Fingerprint', value: <Copied text={sha256} label="Copy fingerprint" /> },
    { name: 'ID', value: <Copied text={id} label="Copy ID" /> },
  ];
}

function KeptUntil({ at }: { at: string | null }) {
  const { data } = useQuery(meQuery);
  if (at === null) return 'Somebody deletes it';
  const sentence = retentionSentence(data?.media?.kept_days);
  return (
    <>
      <ExactTime at={at} />
      {sentence ? <span className="block text-xs text-ink-3">{sentence}</span> : null}
    </>
  );
}

function Copied({ text, label }: { text: string; label: string }) {
  return (
    <span className="-my-1 flex items-center gap-1">
      <code className="min-w-0 truncate font-mono text-xs select-all">{text}</code>
      <CopyButton text={text} label={label} />
    </span>
  );
}
