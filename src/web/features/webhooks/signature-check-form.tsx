import { useState } from 'react';
import { Button } from '#web/ui/controls/button.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { TextInput, TextArea } from '#web/ui/controls/text-input.tsx';
import { checkSignature, type SignatureInput, type SignatureVerdict } from './check-signature.ts';
import { SignatureVerdictView } from './signature-verdict-view.tsx';
import { RevealButton } from '#web/ui/display/secret-box.tsx';

const EMPTY_INPUT: SignatureInput = { body: '', header: '', secret: '' };

/**
 * Checks a delivery in the browser, without sending anything.
 * @param payload of the delivery, if it is known
 */
export function SignatureCheckForm({ payload }: { payload?: object | undefined }) {
  const [pasted, setPasted] = useState(EMPTY_INPUT);
  const [verdict, setVerdict] = useState<SignatureVerdict>();
  const change = (part: Partial<SignatureInput>) => {
    setPasted({ ...pasted, ...part });
    setVerdict(undefined);
  };
  const check = async () => setVerdict(await checkSignature(pasted, { now: new Date(), payload }));
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <form
        noValidate
        aria-label="Received delivery"
        className="flex min-w-0 flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          void check();
        }}
      >
        <Field label="Body" hint="The raw request body, exactly as received.">
          <TextArea
            rows={7}
            spellCheck={false}
            className="font-mono text-sm"
            value={pasted.body}
            onChange={({ target }) => change({ body: target.value })}
          />
        </Field>
        <Field label="Signature header" hint="The value of the Service-Signature header.">
          <TextInput
            autoComplete="off"
            spellCheck={false}
            className="font-mono text-sm"
            placeholder="t=…,v1=…"
            value={pasted.header}
            onChange={({ target }) => change({ header: target.value })}
          />
        </Field>
        <Field label="Secret" hint="The endpoint’s signing secret. It never leaves this page and is not saved.">
          <SecretInput value={pasted.secret} onChange={(secret) => change({ secret })} />
        </Field>
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="primary">
            Verify signature
          </Button>
          <Button variant="ghost" onClick={() => change(EMPTY_INPUT)}>
            Clear
          </Button>
        </div>
      </form>
      <SignatureVerdictView verdict={verdict} />
    </div>
  );
}

function SecretInput({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [shown, setShown] = useState(false);
  return (
    <TextInput
      type={shown ? 'text' : 'password'}
      // Keeps password managers from offering to save it as the password of this site.
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
