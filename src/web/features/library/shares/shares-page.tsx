import { LibraryFrame } from '../frame/library-frame.tsx';
import { SharesView } from './shares-view.tsx';

export function SharesPage() {
  return (
    <LibraryFrame
      place="shares"
      title="Shared links"
      intro={<p className="text-sm text-ink-3">Public pages that people open without signing in.</p>}
      purpose="see shared links"
    >
      <SharesView />
    </LibraryFrame>
  );
}
