import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import type { Share } from '#contract/resources/share.ts';
import { useCreateShare } from '#web/api/queries/shares.ts';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { Button, buttonClass } from '#web/ui/controls/button.tsx';
import { CopyButton } from '#web/ui/controls/copy-button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import type { ShareRequest, ShareTarget } from './open-share-dialog.ts';
import { describeLifetime, EXPIRY_OPTIONS } from './share-labels.ts';
import { VersionOffers } from './version-offers.tsx';
import { ShareOptions, type ShareValues, toShareBody } from './share-options.tsx';

interface ShareDialogProps {
  request: ShareRequest;
  onClose: () => void;
}

/** Creates a public page and shows its link. */
export function ShareDialog({ request, onClose }: ShareDialogProps) {
  const [share, setShare] = useState('share' in request ? request.share : null);
  if (share) return <ShareCreated share={share} onClose={onClose} />;
  return 'target' in request ? <ShareForm {...request} onCreated={setShare} onClose={onClose} /> : null;
}

function describeTarget(target: ShareTarget): string {
  if ('collection_id' in target) return 'this collection';
  return target.media_ids.length === 1 ? 'this file' : `${target.media_ids.length} files`;
}

interface ShareFormProps {
  target: ShareTarget;
  title: string;
  onCreated: (share: Share) => void;
  onClose: () => void;
}

function ShareForm({ target, title, onCreated, onClose }: ShareFormProps) {
  const { mutateAsync: createShare } = useCreateShare();
  const form = useDialogForm<ShareValues>({
    title,
    expiry: '30',
    allow_downloads: true,
    show_prompts: false,
    show_organization: false,
    asks_for: 'nothing',
    locked: false,
    code: '',
  });
  const isCollection = 'collection_id' in target;
  const single = 'media_ids' in target && target.media_ids.length === 1 ? target.media_ids[0] : undefined;
  return (
    <FormDialog
      form={form}
      size="sm"
      title={`Share ${describeTarget(target)}`}
      description="Everyone who has the link can open the page, without signing in."
      submitLabel="Create link"
      onSubmit={async (values) => onCreated(await createShare({ ...target, ...toShareBody(values) }))}
      onClose={onClose}
    >
      {single ? <VersionOffers mediaId={single} onAdded={onCreated} /> : null}
      <ShareOptions
        form={form}
        expiryLabel="Ends after"
        expiryOptions={EXPIRY_OPTIONS}
        expiryHint={isCollection ? 'It shows what is in the collection at the time of each visit.' : undefined}
      />
    </FormDialog>
  );
}

function ShareCreated({ share: { url, expires_at }, onClose }: { share: Share; onClose: () => void }) {
  return (
    <Dialog
      open
      size="sm"
      title="Link created"
      description="You find it again under Shared links, where you can end it."
      onClose={onClose}
      footer={
        <>
          {url ? (
            <a href={url} target="_blank" rel="noreferrer" className={buttonClass()}>
              <ExternalLink aria-hidden="true" className="size-4" />
              Open page
            </a>
          ) : null}
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <div className="flex items-center gap-1.5 rounded-md border border-line-strong bg-sunken py-1.5 pr-1.5 pl-3">
          <code className="min-w-0 flex-1 font-mono text-sm wrap-anywhere select-all">{url}</code>
          {url ? <CopyButton text={url} label="Copy link" labeled /> : null}
        </div>
        <p className="text-sm text-ink-3">{describeLifetime(expires_at)}</p>
      </div>
    </Dialog>
  );
}
