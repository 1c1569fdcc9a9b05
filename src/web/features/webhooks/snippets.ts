/** Languages of the receivers' code that is shown beside a secret. */
export const SNIPPET_LANGUAGES = ['typescript', 'python', 'shell'] as const;
export type SnippetLanguage = (typeof SNIPPET_LANGUAGES)[number];

export interface Snippet {
  label: string;
  code: string;
}

/** How a receiver judges a delivery, to be copied. None holds a secret: that belongs into the environment. Spec: Signature */
export const SNIPPETS = {
  typescript: {
    label: 'TypeScript',
    code: `import { createHmac, timingSafeEqual } from 'node:crypto';

// body: as it came in, before JSON.parse. header: the value of Service-Signature.
export function isGenuine(body: Buffer, header: string, secret: string): boolean {
  const pairs = header.split(',').map((pair) => pair.trim().split('='));
  const t = pairs.find(([name]) => name === 't')?.[1] ?? '';
  const age = Date.now() / 1000 - Number(t);
  if (!(Math.abs(age) <= 300)) return false;
  const expected = createHmac('sha256', secret).update(\`\${t}.\`).update(body).digest();
  return pairs.some(([name, hex = '']) => {
    const given = Buffer.from(hex, 'hex');
    return name === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}
`,
  },
  python: {
    label: 'Python',
    code: `import hashlib, hmac, time

# body: as it came in, before json.loads. header: the value of Service-Signature.
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
    code: `# body.json: the body as it came in. HEADER: the value of Service-Signature. SECRET: the secret.
t=$(printf %s "$HEADER" | tr , '\\n' | sed -n 's/^ *t=//p')
made=$( { printf %s. "$t"; cat body.json; } | openssl dgst -sha256 -hmac "$SECRET" | sed 's/.*= *//')
age=$(( $(date +%s) - t ))
case ",$HEADER," in *"v1=$made,"*) [ "\${age#-}" -le 300 ] && echo genuine ;; *) echo wrong ;; esac
`,
  },
} satisfies Record<SnippetLanguage, Snippet>;
