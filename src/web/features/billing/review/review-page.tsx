import { useQuery } from '@tanstack/react-query';
import { Outlet, useParams } from '@tanstack/react-router';
import { queryError } from '#web/api/api-errors.ts';
import { meQuery } from '#web/api/queries/me.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { RequireSession } from '#web/api/session/require-session.tsx';
import { useSession } from '#web/api/session/session.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { BackLink } from '#web/ui/back-link.tsx';
import { cx } from '#web/ui/cx.ts';
import { RequestList } from './request-list.tsx';
import { ReviewInbox } from './review-inbox.tsx';
import { ReviewInboxSkeleton } from './review-inbox-skeleton.tsx';

export function ReviewPage() {
  const { id } = useParams({ strict: false });
  const signedIn = useSession() === 'signed_in';
  const me = useQuery({ ...meQuery, enabled: signedIn });
  const canRead = useCan('reviews.read');
  const problem = signedIn ? queryError(me) : null;
  const open = canRead && id !== undefined;
  return (
    <div className={cx(open && 'lg:grid lg:grid-cols-[minmax(17rem,24rem)_minmax(0,1fr)]')}>
      <title>Review · Emulsion</title>
      <div className={cx('w-full min-w-0 px-4 pt-5 pb-12 md:px-8 md:pt-8', open ? 'lg:px-5' : 'max-w-4xl')}>
        <BackLink to="/billing">Billing</BackLink>
        <header className="mb-5">
          <h1 tabIndex={-1} className="text-xl font-semibold tracking-[-0.015em] outline-none">
            Review
          </h1>
          <p className={cx('mt-0.5 text-ink-2', open && 'lg:hidden')}>
            What people ask for, and generations with an unclear outcome, whose price stays reserved until a decision.
          </p>
        </header>
        <RequireSession to="review generations" permission="reviews.read">
          {canRead ? (
            <div className="flex flex-col gap-8">
              {open ? null : <RequestList />}
              <ReviewInbox openId={id} />
            </div>
          ) : problem ? (
            <LoadError what="Your account" error={problem} onRetry={() => void me.refetch()} />
          ) : (
            <ReviewInboxSkeleton />
          )}
        </RequireSession>
      </div>
      {open ? <Outlet /> : null}
    </div>
  );
}
