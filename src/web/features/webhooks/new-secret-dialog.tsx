import type { WebhookEndpointCreated } from '#contract/resources/webhook.ts';
import { CopyButton } from '#web/ui/controls/copy-button.tsx';
import { Disclosure } from '#web/ui/controls/disclosure.tsx';
import { ExactTime } from '#web/ui/display/relative-time.tsx';
import { SecretBox } from '#web/ui/display/secret-box.tsx';
import { OneTimeSecretDialog } from '#web/ui/overlays/one-time-secret-dialog.tsx';
import { useState } from 'react';
import { CodeBlock } from '#web/ui/display/code-block.tsx';
import { Tabs } from '#web/ui/tabs.tsx';

interface NewSecretDialogProps {
  endpoint: WebhookEndpointCreated;
  previousUntil?: string;
  onClose: () => void;
}

export function NewSecretDialog({ endpoint: { url, secret }, previousUntil, onClose }: NewSecretDialogProps) {
  return (
    <OneTimeSecretDialog
      title={previousUntil === undefined ? 'Signing secret' : 'New signing secret'}
      description={<span className="wrap-anywhere">{url}</span>}
      advice="Copy it to your receiver now. It cannot be shown again, but you can rotate it."
      onClose={onClose}
    >
      <SecretBox what="the secret" secret={secret} masked="whsec_••••••••••••" />
      <div>
        <CopyButton labeled text={secret} label="Copy secret" />
      </div>
      {previousUntil === undefined ? null : (
        <p className="text-sm text-ink-2">
          The previous secret stays valid until <ExactTime at={previousUntil} />.
        </p>
      )}
      <Disclosure summary="Code for the receiver">
        <ReceiverCode />
      </Disclosure>
    </OneTimeSecretDialog>
  );
}

function ReceiverCode() {
  const [language, setLanguage] = useState<SnippetLanguage>('typescript');
  return (
    <section aria-label="Code for the receiver" className="min-w-0">
      <p className="mb-1 text-sm text-ink-2">
        The receiver verifies the signature, responds with any 2xx status within 10 seconds, and ignores an event whose{' '}
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

const SNIPPET_LANGUAGES = ['typescript', 'python', 'shell'] as const;
type SnippetLanguage = (typeof SNIPPET_LANGUAGES)[number];

interface Snippet {
  label: string;
  code: string;
}

/** Code that verifies a delivery. It takes the secret as a parameter, since secrets do not belong in code. Spec: Signature */
const SNIPPETS = {
  typescript: {
    label: 'TypeScript',
    code: `import { createHmac, timingSafeEqual } from 'node:crypto';

// body: the raw request body, before JSON.parse. header: the value of Service-Signature.
function isGenuine(body: Buffer, header: string, secret: string): boolean {
  const pairs = header.split(',').map((pair) => pair.trim().split('='));
  const t = pairs.find(([name]) => name === 't')?.[1] ?? '';
  const age = Date.now() / 1000 - Number(t);
  if (!(Math.abs(age) <= 300)) return false;
  const expected = createHmac('sha256', secret).update(\`\${t}.\`).update(body).digest();
  return pairs.some(([name, hex = '']) => {
    const received = Buffer.from(hex, 'hex');
    return name === 'v1' && received.length === expected.length && timingSafeEqual(received, expected);
  });
}
`,
  },
  python: {
    label: 'Python',
    code: `import hashlib, hmac, time

# body: the raw request body, before json.loads. header: the value of Service-Signature.
def is_genuine(body: bytes, header: str, secret: str) -> bool:
    pairs = [pair.strip().partition("=")[::2] for pair in header.split(",")]
    t = next((value for name, value in pairs if name == "t"), "")
    if not t.isdecimal() or abs(time.time() - int(t)) > 300:
        return False
    signed = t.encode() + b"." + body
    expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    return any(name == "v1" and hmac.compare_digest(value, expected) for name, value in pairs)
`,
  },
  shell: {
    label: 'Shell',
    code: `# body.json: the raw request body. HEADER: the value of Service-Signature. SECRET: the secret.
t=$(printf %s "$HEADER" | tr , '\\n' | sed -n 's/^ *t=//p')
expected=$( { printf %s. "$t"; cat body.json; } | openssl dgst -sha256 -hmac "$SECRET" | sed 's/.*= *//')
age=$(( $(date +%s) - t ))
case ",$HEADER," in *"v1=$expected,"*) [ "\${age#-}" -le 300 ] && echo genuine ;; *) echo wrong ;; esac
`,
  },
} satisfies Record<SnippetLanguage, Snippet>;
