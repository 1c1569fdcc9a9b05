// node verify.mjs: recomputes this pack in its folder, without Emulsion. Needs Node.js 20 or newer, nothing else.
import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
const at = (name) => join(folder, name);
const pack = JSON.parse(readFileSync(at('pack.json'), 'utf8'));
const fail = (message) => {
  process.stderr.write(`${message}\n`);
  process.exit(1);
};
const sha256 = (text) => createHash('sha256').update(text).digest('hex');

async function hashFile(name) {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(at(name))) hash.update(chunk);
  return hash.digest('hex');
}

for (const line of readFileSync(at('checksums.sha256'), 'utf8').trimEnd().split('\n')) {
  const [expected, name] = line.split('  ');
  if ((await hashFile(name)) !== expected) fail(`${name} was changed.`);
}

/** Follows a chain of lines from the entry before the period. */
async function verifyChain(file, opening, visit) {
  let { seq, hash } = opening;
  for await (const line of createInterface({ input: createReadStream(at(file)) })) {
    const { hash: stored, ...entry } = JSON.parse(line);
    seq += 1;
    if (entry.seq !== String(seq)) fail(`${file}: number ${seq} is missing.`);
    hash = sha256(JSON.stringify([hash, ...Object.values(entry)]));
    if (hash !== stored) fail(`${file}: number ${seq} was changed.`);
    visit(entry);
  }
  return { seq, hash };
}

let available = BigInt(pack.ledger.opening.available_micro_usd);
let reserved = BigInt(pack.ledger.opening.reserved_micro_usd);
const months = new Map();
const ledger = await verifyChain('ledger.jsonl', pack.ledger.opening, (entry) => {
  const amount = BigInt(entry.amount_micro_usd);
  available += amount;
  if (entry.type === 'RESERVE' || entry.type === 'RELEASE') reserved -= amount;
  if (entry.available_after_micro_usd !== String(available)) fail(`Entry ${entry.seq}: wrong available funds.`);
  if (entry.balance_after_micro_usd !== String(available + reserved)) fail(`Entry ${entry.seq}: wrong balance.`);
  const month = entry.created_at.slice(0, 7);
  const sums = months.get(month) ?? new Map();
  sums.set(entry.type, (sums.get(entry.type) ?? 0n) + amount);
  months.set(month, sums);
});
const audit = await verifyChain('audit-log.jsonl', pack.audit_log.opening, () => {});

const micro = (usd) => {
  const [, sign, whole, decimals = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(usd);
  return BigInt(sign + whole + decimals.padEnd(6, '0'));
};
for (const { month, by_type, breakdowns } of pack.statements) {
  for (const { type, amount_usd } of by_type) {
    const sum = months.get(month)?.get(type) ?? 0n;
    if (micro(amount_usd) !== sum) fail(`Statement ${month}: ${type} does not match the entries.`);
  }
  const spent = -(months.get(month)?.get('SETTLE') ?? 0n) - (months.get(month)?.get('REFUND') ?? 0n);
  for (const { by, rows } of breakdowns) {
    const sum = rows.reduce((total, { amount_usd }) => total + micro(amount_usd), 0n);
    if (sum !== spent) fail(`Statement ${month}: the rows by ${by} do not add up to what was spent.`);
  }
}
for (const [name, chain] of Object.entries({ ledger, audit_log: audit })) {
  const { closing } = pack[name];
  if (closing.seq !== chain.seq || closing.hash !== chain.hash) fail(`${name}: its end is missing.`);
}
process.stdout.write(
  `Ledger: ${ledger.seq - pack.ledger.opening.seq} entries are right. Head ${ledger.seq}:${ledger.hash}\n`,
);
process.stdout.write(
  `Audit log: ${audit.seq - pack.audit_log.opening.seq} events are right. Head ${audit.seq}:${audit.hash}\n`,
);
process.stdout.write(`Statements: ${pack.statements.length} match the entries.\n`);
