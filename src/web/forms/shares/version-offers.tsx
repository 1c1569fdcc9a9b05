import { useQuery } from '@tanstack/react-query';
import { Layers } from 'lucide-react';
import type { MediaLineage } from '#contract/resources/media-lineage.ts';
import type { Share } from '#contract/resources/share.ts';
import { lineageQuery } from '#web/api/queries/media.ts';
import { openSharesQuery, useUpdateShare } from '#web/api/queries/shares.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { ErrorText } from '#web/ui/controls/field.tsx';
import { findReplaced } from './find-replaced.ts';

interface VersionOffersProps {
  mediaId: string;
  onAdded: (share: Share) => void;
}

/** Offers to put a changed file beside the one that it was made from, on pages that show that one. */
export function VersionOffers({ mediaId, onAdded }: VersionOffersProps) {
  const lineage = useQuery(lineageQuery(mediaId)).data;
  const shares = useQuery(openSharesQuery).data;
  const { mutateAsync: update, isPending, error } = useUpdateShare();
  const offers = lineage && shares ? findOffers(shares, lineage) : [];
  if (offers.length === 0) return null;
  return (
    <section
      aria-label="New version"
      className="flex flex-col gap-2 rounded-md border border-line bg-sunken p-3 text-sm"
    >
      <p>This file was made from one that is shared already. The client sees both, with the new one to answer.</p>
      {offers.map(({ share, replaces }) => (
        <Button
          key={share.id}
          size="sm"
          busy={isPending}
          className="self-start"
          icon={<Layers aria-hidden="true" className="size-4" />}
          onClick={() =>
            // The error stands below.
            void update({ id: share.id, add_version: { media_id: mediaId, replaces } }).then(onAdded, () => undefined)
          }
        >
          {`Add as a new version to “${share.title ?? share.name ?? 'a page without a name'}”`}
        </Button>
      ))}
      {error ? <ErrorText>{error.message}</ErrorText> : null}
    </section>
  );
}

const findOffers = (shares: readonly Share[], lineage: MediaLineage) =>
  shares.flatMap((share) => {
    const replaces = findReplaced(share, lineage);
    return replaces === null ? [] : [{ share, replaces }];
  });
