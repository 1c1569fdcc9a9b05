import { type ComponentType, type SVGProps, useEffect, useState } from 'react';
import { Check, Copy, Link } from 'lucide-react';
import { Button } from './button.tsx';
import { IconButton } from './icon-button.tsx';

export interface CopyButtonProps {
  text: string;
  label?: string;
  labeled?: boolean;
  icon?: ComponentType<SVGProps<SVGSVGElement>>;
}

/** Copies the address of a page, which others open signed in. */
export const CopyAddressButton = ({ path }: { path: string }) => (
  <CopyButton text={`${window.location.origin}${path}`} label="Copy page address" icon={Link} />
);

export function CopyButton({ text, label = 'Copy', labeled, icon: Icon = Copy }: CopyButtonProps) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), 1_600);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setState('copied'),
      () => setState('failed'),
    );
  };
  const statusTexts = { idle: label, copied: 'Copied', failed: 'Copy failed. Select the text and copy it.' };
  const status = statusTexts[state];
  const icon =
    state === 'copied' ? (
      <Check aria-hidden="true" className="size-4 text-good" />
    ) : (
      <Icon aria-hidden="true" className="size-4" />
    );
  return (
    <>
      {labeled ? (
        <Button size="sm" icon={icon} onClick={copy}>
          {status}
        </Button>
      ) : (
        <IconButton size="sm" label={status} icon={icon} onClick={copy} />
      )}
      <output className="sr-only">{state === 'idle' ? '' : status}</output>
    </>
  );
}
