import { useState } from 'react';
import { CodeBlock } from '#web/ui/code-block.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { SNIPPET_LANGUAGES, type SnippetLanguage, SNIPPETS } from './snippets.ts';

/** What a receiver has to do with a delivery, in code. */
export function ReceiverCode() {
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
