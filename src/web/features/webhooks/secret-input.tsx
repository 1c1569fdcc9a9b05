import { useState } from 'react';
import { RevealButton } from '#web/ui/reveal-button.tsx';
import { TextInput } from '#web/ui/text-input.tsx';

/** A secret that is typed or pasted: dots, until one asks to see it. */
export function SecretInput({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [shown, setShown] = useState(false);
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
      suffix={<RevealButton what="the secret" shown={shown} onChange={setShown} />}
    />
  );
}
