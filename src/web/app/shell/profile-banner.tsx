import { Link } from '@tanstack/react-router';
import { UserRound, X } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '#web/ui/icon-button.tsx';

const storage_name = 'emulsion.profile-banner';

function readDismissed(): boolean {
  try {
    return localStorage.getItem(storage_name) !== null;
  } catch {
    return false;
  }
}

/** Asks the first administrator once for a name and a mail address. */
export function ProfileBanner() {
  const [isDismissed, setDismissed] = useState(readDismissed);
  if (isDismissed) return null;
  const dismiss = () => {
    setDismissed(true);
    try {
      localStorage.setItem(storage_name, 'dismissed');
    } catch {
      // Without storage the banner returns with the next load.
    }
  };
  return (
    <div className="flex items-center gap-2.5 border-b border-line bg-surface px-4 py-1.5 text-sm md:px-8">
      <UserRound aria-hidden="true" className="size-4 flex-none text-ink-3" />
      <span className="min-w-0 flex-1">Add your name and mail address, so that others recognize your work.</span>
      <Link to="/account" className="flex-none font-medium underline underline-offset-2">
        Your account
      </Link>
      <IconButton size="sm" label="Dismiss" icon={<X aria-hidden="true" className="size-4" />} onClick={dismiss} />
    </div>
  );
}
