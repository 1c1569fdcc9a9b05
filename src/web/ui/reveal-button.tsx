import { Eye, EyeOff } from 'lucide-react';
import { IconButton, type IconButtonProps } from './icon-button.tsx';

export interface RevealButtonProps extends Omit<IconButtonProps, 'label' | 'icon' | 'onClick' | 'size' | 'onChange'> {
  /** Completes "Show …": "the key". */
  what: string;
  shown: boolean;
  onChange: (shown: boolean) => void;
}

export function RevealButton({ what, shown, onChange, ...rest }: RevealButtonProps) {
  const Icon = shown ? EyeOff : Eye;
  return (
    <IconButton
      size="sm"
      {...rest}
      label={`${shown ? 'Hide' : 'Show'} ${what}`}
      icon={<Icon aria-hidden="true" className="size-4" />}
      onClick={() => onChange(!shown)}
    />
  );
}
