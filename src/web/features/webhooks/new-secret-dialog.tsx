import type { WebhookEndpointCreated } from '#contract/resources/webhook.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { ExactTime } from '#web/ui/relative-time.tsx';
import { SecretBox } from '#web/ui/secret-box.tsx';
import { OneTimeSecretDialog } from '#web/ui/one-time-secret-dialog.tsx';
import { useState } from 'react';
import { CodeBlock } from '#web/ui/code-block.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { SNIPPET_LANGUAGES, type SnippetLanguage, SNIPPETS } from './snippets.ts';

export interface NewSecretDialogProps {
  endpoint: WebhookEndpointCreated;
  /** After a rotation: until when the previous secret is valid too. */
  previous_until?: string;
  onClose: () => void;
}

/** A secret that was just created, with code for the receiver. */
export function NewSecretDialog({ endpoint: { url, secret }, previous_until, onClose }: NewSecretDialogProps) {
  return (
    <OneTimeSecretDialog
      title={previous_until === undefined ? 'Signing secret' : 'New signing secret'}
      description={<span className="wrap-anywhere">{url}</span>}
      advice="Store it where the receiver reads its secrets. It cannot be looked up again, but you can rotate it."
      onClose={onClose}
    >
      <SecretBox what="the secret" secret={secret} masked="whsec_••••••••••••" />
      <div>
        <CopyButton labeled text={secret} label="Copy secret" />
      </div>
      {previous_until === undefined ? null : (
        <p className="text-sm text-ink-2">
          The previous secret stays valid until <ExactTime at={previous_until} />.
        </p>
      )}
      <Disclosure summary="Code for the receiver">
        <ReceiverCode />
      </Disclosure>
    </OneTimeSecretDialog>
  );
}

/** What a receiver has to do with a delivery, in code. */
function ReceiverCode() {
  const [language, setLanguage] = useState<SnippetLanguage>('typescript');
  return (
    <section aria-label="Code for the receiver" className="min-w-0">
      <p className="mb-1 text-sm text-ink-2">
        The receiver verifies the signature, answers with any 2xx within 10 seconds, and ignores an event whose{' '}
        <code className="font-mono text-xs">id</code> it has already handled.
      </p>
      <Tabs
        label="Language"
        value={language}
        onChange={setLanguage}
        tabs={SNIPPET_LANGUAGES.map((value) => ({ value, label: SNIPPETS[value].label }))}
      >
        <CodeBlock
          text={SNIPPETS[language].code}
          label={`${SNIPPETS[language].label} code`}
          copyLabel={`Copy ${SNIPPETS[language].label} code`}
        />
      </Tabs>
    </section>
  );
}
