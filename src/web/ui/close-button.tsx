import { X } from 'lucide-react';
import { createContext, use } from 'react';
import { IconButton } from './controls/icon-button.tsx';

/** Runs what closes the modal, unless that would lose what somebody typed in it: then it asks first. */
export const CloseGuard = createContext((close: () => void): void => close());

export function CloseButton({ onClose, size = 'md' }: { onClose: () => void; size?: 'sm' | 'md' }) {
  const guard = use(CloseGuard);
  const icon = <X aria-hidden="true" className={size === 'sm' ? 'size-4' : 'size-4.5'} />;
  return <IconButton label="Close" size={size} icon={icon} onClick={() => guard(onClose)} />;
}
