import { useState } from 'react';
import { RevealButton } from './reveal-button.tsx';

export interface SecretBoxProps {
  /** Completes "Show …": "the secret". */
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
