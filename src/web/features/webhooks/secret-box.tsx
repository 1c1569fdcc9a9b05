import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';

const PREFIX = 'whsec_';

/** A new signing secret: dots, until one asks to see it. */
export function SecretBox({ secret }: { secret: string }) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <>
      <div className="flex items-center gap-1 rounded-md border border-line-strong bg-sunken py-1.5 pr-1.5 pl-3">
        <code className="min-w-0 flex-1 font-mono text-sm wrap-anywhere select-all">
          {shown ? secret : `${PREFIX}••••••••••••`}
        </code>
        <IconButton
          size="sm"
          // Not the box to tick at the end, which would scroll the rest away.
          data-autofocus=""
          label={shown ? 'Hide the secret' : 'Show the secret'}
          icon={<Icon aria-hidden="true" className="size-4" />}
          onClick={() => setShown(!shown)}
        />
      </div>
      <div>
        <CopyButton labelled text={secret} label="Copy secret" />
      </div>
    </>
  );
}
