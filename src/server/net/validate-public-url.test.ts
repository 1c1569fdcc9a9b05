import { describe, expect, it } from 'vitest';
import { validatePublicUrl } from './validate-public-url.ts';

const base = new URL('https://example.com/a/b');

describe('validatePublicUrl', () => {
  it.each([
    ['https://example.com/x', 'https://example.com/x'],
    ['HTTPS://EXAMPLE.com:443/x?y#z', 'https://example.com/x?y#z'],
    ['https://[2606:4700:0:0::1]/', 'https://[2606:4700::1]/'],
    ['https://8.8.8.8/x', 'https://8.8.8.8/x'],
  ])('accepts %s', (text, href) => expect(validatePublicUrl(text, [443]).href).toBe(href));

  it.each([
    ['/c?d', 'https://example.com/c?d'],
    ['c', 'https://example.com/a/c'],
    ['//other.example/c', 'https://other.example/c'],
    ['https://other.example', 'https://other.example/'],
  ])('resolves %s of a redirect', (text, href) => expect(validatePublicUrl(text, [443], base).href).toBe(href));

  it.each([
    '',
    'x',
    'https://',
    'https:///x',
    'https://@example.com/',
    'https://user:pass@example.com/',
    'https://a@[::1]/',
    'https://0x7f.0.0.1/',
    'https://0177.0.0.1/',
    'https://2130706433/',
    'https://127.1/',
    'https://0/',
    'https://127.0.0.1./',
    'https://１２７.0.0.1/',
    'https://ⓔxample.com/',
    'https://exam\tple.com/',
    'https:\\\\example.com\\',
    'https://example.com\\@evil.example/',
    ' https://example.com/',
    'https://%31.1.1.1/',
    'https://example.com:/',
    'https://example.com:99999/',
    'https://example.com/\0',
    'https://example。com/',
  ])('rejects %j', (text) => {
    expect(() => validatePublicUrl(text, [443])).toThrow(
      expect.objectContaining({ name: 'OutboundError', code: 'invalid_url' }),
    );
  });

  it('reports credentials in the URL', () => {
    for (const text of ['https://user:pass@example.com/', 'https://user@example.com/', 'https://:pass@example.com/'])
      expect(() => validatePublicUrl(text, [443])).toThrow('The URL must not contain a user name or password.');
  });

  it.each(['http://example.com/', 'ftp://example.com/', 'file:///etc/passwd', 'data:,x', 'javascript:alert(1)'])(
    'rejects %s, which is not https',
    (text) => {
      expect(() => validatePublicUrl(text, null, base)).toThrow(expect.objectContaining({ code: 'blocked' }));
    },
  );

  it('rejects other ports unless any port is allowed', () => {
    expect(() => validatePublicUrl('https://example.com:8443/', [443])).toThrow(
      expect.objectContaining({ code: 'blocked' }),
    );
    expect(validatePublicUrl('https://example.com:8443/', null).port).toBe('8443');
  });
});
