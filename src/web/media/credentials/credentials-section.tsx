import { useState } from 'react';
import { Disclosure } from '#web/ui/controls/disclosure.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { CredentialsSkeleton } from './credentials-skeleton.tsx';

const MediaCredentials = lazyComponent(async () => (await import('./media-credentials.tsx')).MediaCredentials);

/** Checks the file once it is opened. Needs a `key` per file. */
export function CredentialsSection({ mediaId }: { mediaId: string }) {
  const [open, setOpen] = useState(false);
  return (
    <Disclosure summary="Content credentials" onToggle={(event) => setOpen(event.currentTarget.open)}>
      {open ? <MediaCredentials mediaId={mediaId} fallback={<CredentialsSkeleton />} /> : null}
    </Disclosure>
  );
}
