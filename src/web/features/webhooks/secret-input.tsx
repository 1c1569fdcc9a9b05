import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '#web/ui/icon-button.tsx';
import { TextInput } from '#web/ui/text-input.tsx';

/** A secret that is typed or pasted: dots, until one asks to see it. */
export function SecretInput({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <TextInput
      type={shown ? 'text' : 'password'}
      // A password manager must not offer to keep it as the password of this site.
      autoComplete="off"
      data-1p-ignore=""
      data-lpignore="true"
      spellCheck={false}
      placeholder="whsec_…"
      value={value}
      onChange={({ target }) => onChange(target.value)}
      suffix={
        <IconButton
          size="sm"
          label={shown ? 'Hide the secret' : 'Show the secret'}
          icon={<Icon aria-hidden="true" className="size-4" />}
          onClick={() => setShown(!shown)}
        />
      }
    />
  );
}
