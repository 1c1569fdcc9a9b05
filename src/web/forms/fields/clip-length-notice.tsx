import { Link } from '@tanstack/react-router';
import type { ReferenceFieldSpec } from '#contract/task.ts';
import { createPageLink } from '#web/api/create-page-link.ts';
import { useReferenceDetails } from '#web/api/queries/media.ts';
import { serviceMediaId } from '#web/api/reference-info.ts';
import { buttonClass } from '#web/ui/controls/button.tsx';
import { Callout } from '#web/ui/display/callout.tsx';
import { clipLengthProblem, limitedClip } from '../clip-length.ts';

/** Says that a clip is too long or too short for its field, and offers to trim a long one. */
export function ClipLengthNotice({ field, url }: { field: ReferenceFieldSpec; url: string }) {
  const info = useReferenceDetails(url);
  const limited = limitedClip({ fields: [field], rules: [] }, { [field.name]: { url } })?.field;
  const problem = limited && clipLengthProblem(limited, info);
  const id = serviceMediaId(url);
  if (!problem) return null;
  const { max } = limited.seconds;
  const isTooLong = (info?.duration_seconds ?? 0) > max;
  return (
    <Callout
      tone="amber"
      action={
        isTooLong && id !== null ? (
          <Link
            {...createPageLink('video.trim')}
            search={{ media: id, end: max }}
            className={buttonClass({ size: 'sm' })}
          >
            Trim to {max} s
          </Link>
        ) : null
      }
    >
      {problem}
    </Callout>
  );
}
