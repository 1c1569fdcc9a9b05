import { expect, it } from 'vitest';
import { decodePlainText } from './fake-mail-server.ts';

it('reads a text whose wrapped line begins like the end of a part', () => {
  const source = [
    'From: studio@example.com',
    'Content-Type: multipart/alternative;',
    ' boundary="--_NmP-1-Part_1"',
    '',
    '----_NmP-1-Part_1',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'Hello,',
    '',
    'https://example.com/sign-in#token=3Dmgs_lnk_06u=',
    '--_ukBaGV',
    '----_NmP-1-Part_1',
    'Content-Type: text/html; charset=utf-8',
    '',
    '<p>Hello</p>',
    '----_NmP-1-Part_1--',
  ].join('\r\n');
  expect(decodePlainText(source)).toBe('Hello,\r\n\r\nhttps://example.com/sign-in#token=mgs_lnk_06u--_ukBaGV');
});
