/** "mgs_org_••••••••k3Qx": enough to recognise a key, not enough to use it. */
export function maskKey(key: string): string {
  const kind = /^[a-z]+_[a-z]+_/.exec(key)?.[0] ?? '';
  return `${kind}••••••••${key.length > kind.length + 12 ? key.slice(-4) : ''}`;
}
