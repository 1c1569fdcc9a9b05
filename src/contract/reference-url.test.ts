import { describe, expect, test } from 'vitest';
import { needsOwnOrigin, validateReferenceUrl } from './reference-url.ts';

const LOCAL = 'http://localhost:8787';

describe('reference URLs', () => {
  test.each([
    'https://example.com/a.png',
    'https://example.com:443/a.png?x=1#y',
    'HTTPS://EXAMPLE.COM/a',
    'https://example.com',
    'https://[2001:db8::1]/a.mp4',
    'https://[2001:db8::1]:443/a.mp4',
    'https://xn--bcher-kva.example/a',
    'https://a_b.example/a@b:1',
  ])('%s is accepted', (url) => {
    expect(validateReferenceUrl(url, null)).toBeNull();
  });

  test.each([
    '',
    'example.com/a',
    'http://example.com/a.png',
    'ftp://example.com/a',
    'https://',
    'https:///a',
    'https://@example.com/',
    'https://user@example.com/',
    'https://user:secret@example.com/',
    'https://example.com:/a',
    'https://example.com:8443/a',
    'https://example.com:0443/a',
    'https://[::1]:80/a',
    'https://[]/a',
    'https:\\\\example.com\\a',
    'https://exa mple.com/',
    'https://example.com/a\tb',
    'https://example.com/\u0000',
    ' https://example.com/',
    'https://bücher.example/',
    'https://１２７.0.0.1/',
    'https://256.1.1.1/',
    `${LOCAL}/media/ast_1`,
    'data:image/png;base64,AA==',
    'javascript:alert(1)',
  ])('rejects %j with a sentence', (url) => {
    expect(validateReferenceUrl(url, null)).toMatch(/^[A-Z].*\.$/);
  });

  test('a service at another port accepts only its own media links there', () => {
    const origin = 'https://localhost:8443';
    expect([needsOwnOrigin(origin), needsOwnOrigin('https://localhost'), needsOwnOrigin(LOCAL)]).toEqual([
      true,
      false,
      true,
    ]);
    expect(validateReferenceUrl(`${origin}/media/upl_1?sig=x`, origin)).toBeNull();
    for (const url of [`${origin}/v1/uploads`, 'https://localhost:84430/media/x', 'https://other:8443/media/x'])
      expect(validateReferenceUrl(url, origin)).toBe('The URL must use port 443.');
  });

  test('a service without TLS accepts http only for its own media links', () => {
    expect(validateReferenceUrl(`${LOCAL}/media/ast_1?sig=x`, LOCAL)).toBeNull();
    expect(validateReferenceUrl(`${LOCAL}/v1/uploads`, LOCAL)).not.toBeNull();
    expect(validateReferenceUrl('http://localhost:8788/media/ast_1', LOCAL)).not.toBeNull();
    expect(validateReferenceUrl('http://localhost:8787@evil.example/media/x', LOCAL)).not.toBeNull();
  });
});
