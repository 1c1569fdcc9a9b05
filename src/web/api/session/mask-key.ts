/** Masks a key: "mgs_org_••••••••k3Qx" identifies it and cannot be used. */
export function maskKey(key: string): string {
  const kind = /^[a-z]+_[a-z]+_/.exec(key)?.[0] ?? '';
  return `${kind}••••••••${key.length > kind.length + 12 ? key.slice(-4) : ''}`;
}
