import { useEffect, useState } from 'react';
import { Check, Copy } from 'lucide-react';
import { Button } from './button.tsx';
import { IconButton } from './icon-button.tsx';

export interface CopyButtonProps {
  text: string;
  /** Tooltip and accessible name, for instance "Copy link". */
  label?: string;
  /** Shows the label as text. */
  labelled?: boolean;
}

export function CopyButton({ text, label = 'Copy', labelled }: CopyButtonProps) {
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), 1_600);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setState('copied'),
      () => setState('refused'),
    );
  };
  const words = { idle: label, copied: 'Copied', refused: 'Select and copy by hand' }[state];
  const icon =
    state === 'copied' ? (
      <Check aria-hidden="true" className="size-4 text-good" />
    ) : (
      <Copy aria-hidden="true" className="size-4" />
    );
  return (
    <>
      {labelled ? (
        <Button size="sm" icon={icon} onClick={copy}>
          {words}
        </Button>
      ) : (
        <IconButton size="sm" label={words} icon={icon} onClick={copy} />
      )}
      <output className="sr-only">{state === 'idle' ? '' : words}</output>
    </>
  );
}
