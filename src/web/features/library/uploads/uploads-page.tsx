import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Outlet, useParams } from '@tanstack/react-router';
import { formatRetention } from '#web/media/library/retention-date.tsx';
import { meQuery } from '#web/api/queries/me.ts';
import { useSession } from '#web/api/session/session.ts';
import { cx } from '#web/ui/cx.ts';
import { LibraryFrame } from '../frame/library-frame.tsx';
import { UploadButton } from './uploads-states.tsx';
import { UploadsView } from './uploads-view.tsx';

const route = getRouteApi('/uploads');

export function UploadsPage() {
  const { id } = useParams({ strict: false });
  const search = route.useSearch();
  const signedIn = useSession() === 'signed_in';
  const me = useQuery({ ...meQuery, enabled: signedIn });
  const retention = formatRetention(me.data?.media?.kept_days);
  return (
    <div className={cx(id !== undefined && 'lg:grid lg:grid-cols-[minmax(0,1fr)_clamp(24rem,38vw,40rem)]')}>
      <LibraryFrame
        place="uploads"
        title="Uploads"
        heading={
          <header className="mb-3 flex items-center gap-3">
            <div className="mr-auto min-w-0">
              <h1 tabIndex={-1} className="text-xl font-semibold tracking-[-0.015em] outline-none">
                Uploads
              </h1>
              {retention ? <p className="text-sm text-ink-3">{retention}</p> : null}
            </div>
            {signedIn ? <UploadButton /> : null}
          </header>
        }
        purpose="see uploads"
      >
        <UploadsView search={search} openId={id} />
      </LibraryFrame>
      <Outlet />
    </div>
  );
}
