export const SNIPPET_LANGUAGES = ['typescript', 'python', 'shell'] as const;
export type SnippetLanguage = (typeof SNIPPET_LANGUAGES)[number];

export interface Snippet {
  label: string;
  code: string;
}

/** Code that verifies a delivery. It takes the secret as a parameter, since secrets do not belong in code. Spec: Signature */
export const SNIPPETS = {
  typescript: {
    label: 'TypeScript',
    code: `import { createHmac, timingSafeEqual } from 'node:crypto';

// body: the raw request body, before JSON.parse. header: the value of Service-Signature.
export function isGenuine(body: Buffer, header: string, secret: string): boolean {
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
