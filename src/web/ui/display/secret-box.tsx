import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { IconButton, type IconButtonProps } from '#web/ui/controls/icon-button.tsx';

interface RevealButtonProps extends Omit<IconButtonProps, 'label' | 'icon' | 'onClick' | 'size' | 'onChange'> {
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

export interface SecretBoxProps {
  what: string;
  secret: string;
  masked: string;
}

export function SecretBox({ what, secret, masked }: SecretBoxProps) {
  const [shown, setShown] = useState(false);
  return (
    <div className="flex items-center gap-1 rounded-md border border-line-strong bg-sunken py-1.5 pr-1.5 pl-3">
      <code className="min-w-0 flex-1 font-mono text-sm wrap-anywhere select-all">{shown ? secret : masked}</code>
      {/* The focus begins here: at the box to tick at the end it would scroll the rest away. */}
      <RevealButton what={what} shown={shown} onChange={setShown} data-autofocus="" />
    </div>
  );
}
