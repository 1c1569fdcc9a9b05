/** Parses RFC 4180 with a byte order mark and a header row. @throws if the file is malformed */
export function parseCsv(file: string): Record<string, string>[] {
  if (!file.startsWith('\uFEFF')) throw new Error('There is no byte order mark.');
  const text = file.slice(1);
  if (!text.endsWith('\r\n')) throw new Error('The last line does not end.');
  const records: string[][] = [[]];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  for (let match = cell.exec(text); match; match = cell.exec(text)) {
    const [, quoted, plain = '', end] = match;
    records.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === '\r\n') {
      if (match.index + match[0].length === text.length) break;
      records.push([]);
    }
  }
  const [names = [], ...rows] = records;
  if (rows.some((row) => row.length !== names.length)) throw new Error('A line has not as many cells as the first.');
  return rows.map((row) => Object.fromEntries(row.map((value, at) => [names[at] ?? '', value])));
}
