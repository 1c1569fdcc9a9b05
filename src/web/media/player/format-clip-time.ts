export function formatClipTime(seconds: number): string {
  const hundredths = Math.floor(seconds * 100 + 1e-6);
  const rest = hundredths % 6000;
  return `${Math.floor(hundredths / 6000)}:${String(Math.floor(rest / 100)).padStart(2, '0')}.${String(rest % 100).padStart(2, '0')}`;
}
