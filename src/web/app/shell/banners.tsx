import { CloudOff } from 'lucide-react';
import { useSession } from '#web/api/session/session.ts';
import { useOnline } from './use-online.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';

const ExpiredNotice = lazyComponent(
  async () => (await import('#web/features/sign-in/expired-notice.tsx')).ExpiredNotice,
);

/** What concerns the whole app, above every page: no network, or a key that no longer works. */
export function Banners() {
  const online = useOnline();
  const session = useSession();
  return (
    <>
      <output className="block">
        {online ? null : (
          <span className="flex items-center gap-2.5 border-b border-line bg-amber-soft px-4 py-2 text-sm md:px-8">
            <CloudOff aria-hidden="true" className="size-4 flex-none text-amber-text" />
            <span>
              <strong className="font-semibold">You are offline.</strong> What you see may be out of date. Running work
              continues, and your drafts are kept.
            </span>
          </span>
        )}
      </output>
      {session === 'expired' ? <ExpiredNotice /> : null}
    </>
  );
}
