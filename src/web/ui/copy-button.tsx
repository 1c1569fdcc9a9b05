import { useEffect, useState } from 'react';
import { Check, Copy } from 'lucide-react';
import { Button } from './button.tsx';
import { IconButton } from './icon-button.tsx';

export interface CopyButtonProps {
  text: string;
  label?: string;
  labeled?: boolean;
}

export function CopyButton({ text, label = 'Copy', labeled }: CopyButtonProps) {
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
      <Copy aria-hidden="true" className="size-4" />
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
