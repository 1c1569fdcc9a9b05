const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => ESCAPES[character] ?? '');

/** Converts plain text to HTML: paragraphs at empty lines, links for URLs. */
export function formatMailHtml(text: string): string {
  const paragraphs = text
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => {
      const lines = escapeHtml(paragraph).replaceAll('\n', '<br>');
      return `<p>${lines.replaceAll(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`)}</p>`;
    });
  return `<!doctype html><html lang="en"><body style="font-family: sans-serif; max-width: 40em">${paragraphs.join('')}</body></html>`;
}
