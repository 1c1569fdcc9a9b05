import { describe, expect, it } from 'vitest';
import { createAddressRules, validatePublicUrl } from './address-rules.ts';

const rules = createAddressRules();

describe('address rules', () => {
  it.each(['8.8.8.8', '1.1.1.1', '93.184.216.34', '2606:4700::6810:84e5', '2001:4860:4860::8888', '::ffff:8.8.8.8'])(
    'allow %s of the public internet',
    (address) => expect(rules.allows(address)).toBe(true),
  );

  it.each([
    '127.0.0.1',
    '127.8.8.8',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '100.100.100.200',
    '192.0.0.192',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '168.63.129.16',
    '192.88.99.1',
  ])('refuse %s', (address) => expect(rules.allows(address)).toBe(false));

  it.each([
    '::',
    '::1',
    '::7f00:1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    '::ffff:0:127.0.0.1',
    '0:0:0:0:0:ffff:c0a8:1',
    'fe80::1',
    'fe80::1%eth0',
    'fe00::1',
    'fec0::1',
    'fc00::1',
    'fd12:3456::1',
    'ff02::1',
    '4000::1',
    '100::1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::a00:1',
    '2002:7f00:1::',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2001:db8::1',
    '3fff::1',
    '2001:20::1',
    '5f00::1',
    '2606:4700::5efe:7f00:1',
    '2606:4700::200:5efe:10.0.0.1',
    'fd00:ec2::254',
  ])('refuse %s', (address) => expect(rules.allows(address)).toBe(false));

  it.each(['', 'localhost', '127.1', '0x7f.0.0.1', '2130706433', '0177.0.0.1', '8.8.8.8 ', '8.8.8.8%1', '[::1]'])(
    'refuse %j, which is not a plain IP address',
    (address) => {
      expect(rules.allows(address)).toBe(false);
    },
  );

  it('allow only the given private networks', () => {
    const open = createAddressRules({ allowPrivateNetworks: ['127.0.0.0/8', 'fd00::/8'] });
    expect(['127.0.0.1', '::ffff:127.0.0.1', 'fd00::1'].map((address) => open.allows(address))).toEqual([
      true,
      true,
      true,
    ]);
    expect(['10.0.0.1', '::1', '169.254.169.254'].some((address) => open.allows(address))).toBe(false);
  });

  it('refuse public addresses of the service itself', () => {
    const own = createAddressRules({ refused_addresses: ['93.184.216.34', '2606:4700::1'] });
    expect(['93.184.216.34', '::ffff:93.184.216.34', '2606:4700:0::1'].some((address) => own.allows(address))).toBe(
      false,
    );
    expect(own.allows('93.184.216.35')).toBe(true);
  });
});

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
    'https://\u212Ayoto.example/',
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
