// node verify.mjs: recomputes this pack in its folder, without Emulsion. Needs Node.js 20 or newer, nothing else.
/* oxlint-disable max-lines -- one file, because auditors get it by itself */
import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
const at = (name) => join(folder, name);
const sha256 = (text) => createHash('sha256').update(text).digest('hex');
const problems = [];
const recomputed = [];

function fail(...lastProblems) {
  const lines = [...new Set([...problems, ...lastProblems])];
  process.stderr.write(`This pack is not what Emulsion exported, or its ledger is wrong.\n${lines.join('\n')}\n`);
  process.exit(1);
}
// Of a file that is not as it was exported: `problems` names it.
process.on('uncaughtException', ({ message }) => fail(`The rest can’t be verified: ${message}`));

/** Ends with a sentence if the file is not there or can't be read. */
function readJson(name) {
  try {
    return JSON.parse(readFileSync(at(name), 'utf8'));
  } catch (error) {
    return fail(error.code === 'ENOENT' ? `${name}: is missing.` : `${name}: can’t be read: ${error.message}`);
  }
}

/** Collects what is wrong with a file, so that every changed file is named. */
async function check(name, verify) {
  try {
    await verify();
    recomputed.push(name);
  } catch (error) {
    problems.push(`${name}: ${error.message}`);
  }
}
function assert(condition, message) {
  if (!condition) throw new Error(message);
}

// Amounts are whole micro-dollars in .jsonl files, decimal dollars elsewhere.
function usd(micro) {
  const size = micro < 0n ? -micro : micro;
  const decimals = String(size % 1_000_000n).padStart(6, '0');
  return `${micro < 0n ? '-' : ''}${size / 1_000_000n}.${decimals.slice(0, 2)}${decimals.slice(2).replace(/0{1,4}$/, '')}`;
}
function micro(text) {
  const [, sign, whole, decimals = ''] = /^(-?)(\d+)(?:\.(\d{1,6}))?$/.exec(text) ?? [];
  assert(whole !== undefined, `“${text}” is not an amount.`);
  return BigInt(sign + whole + decimals.padEnd(6, '0'));
}

/** The records of a CSV file (RFC 4180), one at a time. */
async function* readCsv(name) {
  let [record, cell, isQuoted, isClosing] = [[], '', false, false];
  for await (const chunk of createReadStream(at(name), 'utf8')) {
    for (const character of chunk) {
      if (character === '"' && !isQuoted) {
        if (isClosing) cell += character;
        [isQuoted, isClosing] = [true, false];
      } else if (character === '"') [isQuoted, isClosing] = [false, true];
      else if (isQuoted) cell += character;
      else if (character === ',' || character === '\n') {
        record.push(character === ',' ? cell : cell.replace(/\r$/, ''));
        [cell, isClosing] = ['', false];
        if (character === ',') continue;
        yield record;
        record = [];
      } else cell += character;
    }
  }
  if (record.length > 0 || cell !== '' || isQuoted) yield [...record, cell];
}

/** As cells are written: a text that a spreadsheet would run as a formula has an apostrophe before it. */
function toCell(value) {
  const text = String(value ?? '');
  return /^'*[=+\-@\t\r\n＝＋－＠]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
}
const fromCell = (cell) => cell.replace(/^'('*[=+\-@\t\r\n＝＋－＠])/, '$1');

/** @param expected records, of which a cell that is undefined is not compared */
async function compareCsv(name, expected) {
  let line = 0;
  for await (const record of readCsv(name)) {
    const cells = expected[line];
    line += 1;
    assert(cells, `record ${line} is not in the chained lines.`);
    const isEqual =
      record.length === cells.length &&
      cells.every((cell, index) => cell === undefined || toCell(cell) === record[index]);
    assert(isEqual, `record ${line} differs from the chained lines: ${record.join(',')}`);
  }
  assert(line === expected.length, `${expected.length - line} records are missing.`);
}

/** An event of the audit log has the checksums of all files as they were exported. */
const seal = readJson('seal.json');
const files = readSealedFiles();
function readSealedFiles() {
  try {
    return new Map(Object.entries(JSON.parse(seal.event.after).files));
  } catch {
    return fail('seal.json: has no checksums.');
  }
}

// Systems add these to folders that are looked at.
const IGNORED = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini']);
const present = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => !entry.isDirectory())
  .map((entry) =>
    join(entry.parentPath ?? entry.path, entry.name)
      .slice(folder.length + 1)
      .replaceAll('\\', '/'),
  );
const sums = new Map();
for (const name of present) {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(at(name))) hash.update(chunk);
  sums.set(name, hash.digest('hex'));
  if (name === 'seal.json' || IGNORED.has(basename(name))) continue;
  if (!files.has(name)) problems.push(`${name}: is not part of this pack.`);
  else if (files.get(name) !== sums.get(name)) problems.push(`${name}: was changed since the export.`);
}
for (const name of files.keys()) if (!sums.has(name)) problems.push(`${name}: is missing.`);

const [pack, priceBooks, verification] = ['pack.json', 'price-books.json', 'verification.json'].map(readJson);

await check('seal.json', () => {
  const { hash, ...event } = seal.event;
  assert(sha256(JSON.stringify([seal.previous_hash, ...Object.values(event)])) === hash, 'the event was changed.');
  assert(event.action === 'export.sealed' && event.organization_id === pack.organization_id, 'it is of another pack.');
});

await check('checksums.sha256', () => {
  const names = new Set([...files.keys()].filter((name) => name !== 'checksums.sha256'));
  for (const line of readFileSync(at('checksums.sha256'), 'utf8').trimEnd().split('\n')) {
    const [expected, name] = line.split('  ');
    assert(names.delete(name), `${name} is not part of this pack, or there twice.`);
    assert(sums.get(name) === expected, `${name} has another checksum.`);
  }
  assert(names.size === 0, `${[...names].join(', ')} has no checksum.`);
});

/** Follows a chain of lines from the entry before the period. */
async function* followChain(file, { opening, closing }) {
  let { seq, hash } = opening;
  for await (const line of createInterface({ input: createReadStream(at(file)) })) {
    const { hash: stored, ...entry } = JSON.parse(line);
    seq += 1;
    assert(entry.seq === String(seq), `number ${seq} is missing.`);
    hash = sha256(JSON.stringify([hash, ...Object.values(entry)]));
    assert(hash === stored, `number ${seq} was changed.`);
    assert(entry.organization_id === pack.organization_id, `number ${seq} is of another organization.`);
    assert(entry.created_at >= pack.from && entry.created_at < pack.to, `number ${seq} is not of the period.`);
    yield { ...entry, hash };
  }
  assert(closing.seq === seq && closing.hash === hash, 'its end is missing.');
}

const toMonth = () => ({
  types: new Map(),
  groups: new Map(),
  costs: { known: 0, unknown: 0, corrected: 0n, outside: 0n },
});
/** What the statement of each month has to say. */
const months = new Map();
for (const from = new Date(pack.from); from.toISOString() < pack.to; from.setUTCMonth(from.getUTCMonth() + 1))
  months.set(from.toISOString().slice(0, 7), toMonth());
const monthOf = ({ created_at }) => months.get(created_at.slice(0, 7));

let [entryCount, refunds] = [0, []];
await check('ledger.jsonl', async () => {
  let available = BigInt(pack.ledger.opening.available_micro_usd);
  let reserved = BigInt(pack.ledger.opening.reserved_micro_usd);
  let before = { available, reserved, head: pack.ledger.opening };
  for await (const entry of followChain('ledger.jsonl', pack.ledger)) {
    const { seq, type } = entry;
    const amount = BigInt(entry.amount_micro_usd);
    available += amount;
    if (type === 'RESERVE' || type === 'RELEASE') reserved -= amount;
    assert(entry.available_after_micro_usd === String(available), `number ${seq} has wrong available funds.`);
    assert(entry.balance_after_micro_usd === String(available + reserved), `number ${seq} has a wrong balance.`);
    const month = monthOf(entry);
    const sum = month.types.get(type) ?? { amount: 0n, count: 0 };
    month.types.set(type, { amount: sum.amount + amount, count: sum.count + 1 });
    month.closing = { available, reserved, head: { seq, hash: entry.hash } };
    if (type === 'REFUND') refunds.push(entry);
    entryCount += 1;
  }
  for (const month of months.values()) {
    month.opening = before;
    before = month.closing ??= before;
  }
});

/** The columns of ledger.csv that the chain covers. */
const CHAINED = {
  seq: (entry) => entry.seq,
  id: (entry) => entry.id,
  created_at: (entry) => entry.created_at,
  date_utc: (entry) => entry.created_at.slice(0, 19).replace('T', ' '),
  type: (entry) => entry.type,
  amount_usd: (entry) => usd(BigInt(entry.amount_micro_usd)),
  available_after_usd: (entry) => usd(BigInt(entry.available_after_micro_usd)),
  balance_after_usd: (entry) => usd(BigInt(entry.balance_after_micro_usd)),
  generation_id: (entry) => entry.generation_id,
  task: (entry) => entry.task,
  model: (entry) => entry.model,
  workflow_run_id: (entry) => entry.workflow_run_id,
  description: (entry) => entry.description,
  key_id: (entry) => entry.key_id,
  created_by_id: (entry) => entry.created_by,
  hash: (entry) => entry.hash,
};

/** Names of who refunded, by number. */
const refunders = new Map();
let hasCosts = false;
await check('ledger.csv', async () => {
  const records = readCsv('ledger.csv');
  const { value: names = [] } = await records.next();
  for (const name of Object.keys(CHAINED)) assert(names.includes(name), `the column ${name} is missing.`);
  hasCosts = names.includes('cost_usd');
  for await (const line of createInterface({ input: createReadStream(at('ledger.jsonl')) })) {
    const entry = JSON.parse(line);
    const { value: cells = [] } = await records.next();
    assert(cells.length === names.length, `number ${entry.seq} is missing or malformed.`);
    const row = Object.fromEntries(names.map((name, index) => [name, cells[index]]));
    for (const [name, read] of Object.entries(CHAINED))
      assert(row[name] === toCell(read(entry)), `number ${entry.seq} has another ${name} than the chain: ${row[name]}`);
    if (entry.type === 'REFUND') refunders.set(entry.seq, fromCell(row.created_by_name));
    if (hasCosts) addCost(monthOf(entry).costs, entry, row);
    addSpending(monthOf(entry).groups, entry, row);
  }
  assert((await records.next()).done, 'there are more records than entries.');
});

function addSpending(groups, { type, amount_micro_usd }, row) {
  if (type !== 'SETTLE' && type !== 'REFUND') return;
  for (const [column, cell] of Object.entries(row)) {
    const by = column === 'person_id' ? 'person' : column.startsWith('tag_') ? `tag:${column.slice(4)}` : null;
    if (by === null) continue;
    if (!groups.has(by)) groups.set(by, new Map());
    const [group, value] = [groups.get(by), fromCell(cell)];
    const { amount, count } = group.get(value) ?? { amount: 0n, count: 0 };
    group.set(value, { amount: amount - BigInt(amount_micro_usd), count: count + (type === 'SETTLE' ? 1 : 0) });
  }
}

function addCost(costs, { seq, type, amount_micro_usd }, { cost_usd, margin_usd }) {
  const cost = cost_usd === '' ? 0n : micro(cost_usd);
  if (cost_usd !== '') costs.cost = (costs.cost ?? 0n) + cost;
  if (margin_usd !== '') {
    const charged = type === 'SETTLE' || type === 'REFUND' ? -BigInt(amount_micro_usd) : 0n;
    assert(micro(margin_usd) === charged - cost, `number ${seq} has a wrong margin: ${margin_usd}`);
    costs.margin = (costs.margin ?? 0n) + charged - cost;
  }
  if (type === 'SETTLE') costs[cost_usd === '' ? 'unknown' : 'known'] += 1;
}

/** Amounts of bills are billionths of dollars. */
function nano(text) {
  const [, sign, whole, decimals = ''] = /^(-?)(\d+)(?:\.(\d{1,9}))?$/.exec(text ?? '') ?? [];
  assert(whole !== undefined, `“${text}” is not an amount.`);
  return BigInt(sign + whole + decimals.padEnd(9, '0'));
}
const roundToMicro = (amount) => (amount < 0n ? -roundToMicro(-amount) : (amount + 500n) / 1000n);
async function* readLines(name) {
  for await (const line of createInterface({ input: createReadStream(at(name)) })) yield [line, JSON.parse(line)];
}
const addTo = (sums, keys, amount) => sums.set(keys.join(' '), (sums.get(keys.join(' ')) ?? 0n) + amount);

/** Settlements by id, and the record of each closed month. */
const [settlements, closedMonths] = [new Map(), new Map()];
/** Bills by id, sums of findings by month, provider and kind, and of corrections by month, provider and entry. */
const [billed, named, corrected] = [new Map(), new Map(), new Map()];
const hasClosings = pack.closing !== undefined;
if (hasClosings) {
  await check('closing.jsonl', async () => {
    let { seq, hash } = { seq: 0, hash: '0'.repeat(64) };
    for await (const [, { hash: stored, ...entry }] of readLines('closing.jsonl')) {
      seq += 1;
      assert(entry.seq === String(seq), `number ${seq} is missing.`);
      hash = sha256(JSON.stringify([hash, ...Object.values(entry)]));
      assert(hash === stored && entry.organization_id === pack.organization_id, `number ${seq} was changed.`);
      const body = JSON.parse(entry.body);
      if (entry.type === 'settlement') settlements.set(entry.id, { ...entry, ...body });
      else if (entry.type === 'close') closedMonths.set(entry.month, { seq, ...body });
      else closedMonths.delete(entry.month);
    }
    assert(pack.closing.seq === seq && pack.closing.hash === hash, 'its end is missing.');
  });
  await check('corrections.jsonl', verifyCorrections);
  await check('bills.jsonl', verifyBills);
  await check('bill-lines.jsonl', verifyBillLines);
  await check('findings.jsonl', verifyFindings);
}

async function verifyCorrections() {
  const found = new Map();
  for await (const [line, { entry_id, month, provider_id, generation_id, amount_nano }] of readLines(
    'corrections.jsonl',
  )) {
    const entry = settlements.get(entry_id);
    assert(entry?.month === month && entry.provider_id === provider_id, `a line is of no settlement: ${entry_id}`);
    const sum = found.get(entry_id) ?? { hash: createHash('sha256'), count: 0, amount: 0n };
    found.set(entry_id, sum);
    sum.hash.update(`${line}\n`);
    sum.count += 1;
    sum.amount += BigInt(amount_nano);
    addTo(corrected, [month, provider_id, entry.seq], BigInt(amount_nano));
    addCorrection(months.get(month)?.costs, generation_id, roundToMicro(BigInt(amount_nano)));
  }
  for (const { id, month, finding_count, amount_nano, corrections_sha256 } of settlements.values()) {
    if (!months.has(month)) continue;
    const sum = found.get(id);
    assert(
      sum?.count === finding_count &&
        String(sum.amount) === amount_nano &&
        sum.hash.digest('hex') === corrections_sha256,
      `the corrections of ${id} are not those that were settled.`,
    );
  }
}

function addCorrection(costs, generation_id, amount) {
  if (!costs) return;
  if (generation_id === null) costs.outside += amount;
  else {
    costs.corrected += amount;
    costs.cost = (costs.cost ?? 0n) + amount;
    costs.margin = (costs.margin ?? 0n) - amount;
  }
}

async function verifyBills() {
  const ofMonths = new Map();
  for await (const [, row] of readLines('bills.jsonl')) {
    const { id, provider_id, month, file, sha256: hash, line_count, amount, amount_usd } = row;
    assert(sums.has(file), `${file} is missing: the service had lost it.`);
    assert(sums.get(file) === hash, `${file} is not the file that was stored.`);
    const bill = { id, provider_id, sha256: hash, line_count, amount_usd };
    ofMonths.set(month, [...(ofMonths.get(month) ?? []), bill]);
    billed.set(id, { ...bill, amount, lines: 0, sum: 0n, sumUsd: 0n });
    recomputed.push(file);
  }
  for (const [month, { bills }] of closedMonths)
    if (months.has(month))
      assert(
        JSON.stringify(ofMonths.get(month) ?? []) === JSON.stringify(bills),
        `${month} was closed with other bills.`,
      );
}

async function verifyBillLines() {
  for await (const [, { bill_id, amount, amount_usd }] of readLines('bill-lines.jsonl')) {
    const bill = billed.get(bill_id);
    assert(bill, `${bill_id} is no bill of this pack.`);
    bill.lines += 1;
    bill.sum += nano(amount);
    bill.sumUsd += nano(amount_usd);
  }
  for (const { id, line_count, amount, amount_usd, lines, sum, sumUsd } of billed.values()) {
    const isRight = lines === line_count && sum === nano(amount) && sumUsd === nano(amount_usd);
    assert(isRight, `the lines of ${id} do not add up to it.`);
  }
}

async function verifyFindings() {
  const bills = new Map();
  for await (const [, row] of readLines('findings.jsonl')) {
    const { month, provider_id, kind, bill_usd, cost_usd, difference_usd } = row;
    const isRight = nano(difference_usd) === nano(bill_usd ?? '0') - nano(cost_usd ?? '0');
    assert(isRight, `${row.id} is not bill less cost.`);
    addTo(named, [month, provider_id, kind], nano(difference_usd));
    addTo(named, [month, provider_id, kind, 'count'], 1n);
    addTo(bills, [month, provider_id], nano(bill_usd ?? '0'));
  }
  for (const [month, { seq, providers }] of closedMonths) {
    if (!months.has(month)) continue;
    for (const { provider_id, bill_usd, corrected_usd, difference_usd, findings } of providers) {
      const key = `${month} ${provider_id}`;
      assert((bills.get(key) ?? 0n) === nano(bill_usd ?? '0'), `${key} has another bill than when it was closed.`);
      for (const { kind, amount_usd, finding_count } of findings)
        assert(
          named.get(`${key} ${kind}`) === nano(amount_usd) &&
            named.get(`${key} ${kind} count`) === BigInt(finding_count),
          `${key}: ${kind} differs from what was closed.`,
        );
      const total = findings.reduce((sum, { amount_usd }) => sum + nano(amount_usd), 0n);
      assert(difference_usd === null || total === nano(difference_usd), `${key}: the findings are not the difference.`);
      const booked = Array.from({ length: seq }, (_, index) => corrected.get(`${key} ${index}`) ?? 0n).reduce(
        (a, b) => a + b,
        0n,
      );
      assert(booked === nano(corrected_usd), `${key} was closed with other corrections.`);
    }
  }
}

/** Each charge or movement of money of a month, in order, with its amount. */
for (const name of [...files.keys()].filter((file) => /^focus\/.*-charges\.csv$/.test(file)))
  await check(name, () => verifyFocus(name));

async function verifyFocus(name) {
  const records = readCsv(name);
  const { value: names = [] } = await records.next();
  for await (const line of createInterface({ input: createReadStream(at('ledger.jsonl')) })) {
    const { seq, id, type, amount_micro_usd, created_at } = JSON.parse(line);
    if (type === 'RESERVE' || type === 'RELEASE' || !name.includes(created_at.slice(0, 7))) continue;
    const { value: cells = [] } = await records.next();
    const row = Object.fromEntries(names.map((column, index) => [column, cells[index]]));
    const cost = BigInt(amount_micro_usd) * (type === 'TOP_UP' ? 1n : -1n);
    const isEqual = row.x_LedgerSequence === seq && row.x_LedgerEntryId === id && row.ContractedCost === usd(cost);
    assert(isEqual, `number ${seq} is missing, or has another cost than the chain.`);
  }
  assert((await records.next()).done, 'there are more records than entries.');
}

const audit = { count: 0, head: pack.audit_log.opening };
await check('audit-log.jsonl', async () => {
  for await (const { seq, hash } of followChain('audit-log.jsonl', pack.audit_log)) {
    audit.count += 1;
    audit.head = { seq, hash };
  }
});

await check('refunds.csv', () =>
  compareCsv('refunds.csv', [
    ['seq', 'created_at', 'generation_id', 'task', 'model', 'amount_usd', 'refunded_by', 'reason'],
    ...refunds.map(({ seq, created_at, generation_id, task, model, amount_micro_usd, description }) => {
      const amount = usd(BigInt(amount_micro_usd));
      return [seq, created_at, generation_id, task, model, amount, refunders.get(seq), description];
    }),
  ]),
);

await check('pack.json', () => {
  assert(
    pack.statements.map(({ month }) => month).join() === [...months.keys()].join(),
    'its months are not the period.',
  );
  for (const { month: name, by_type, breakdowns } of pack.statements) {
    const month = months.get(name);
    const types = new Map(month.types);
    for (const { type, amount_usd, count } of by_type) {
      const sum = types.get(type) ?? { amount: 0n, count: 0 };
      types.delete(type);
      assert(micro(amount_usd) === sum.amount && count === sum.count, `${name}: ${type} does not match the entries.`);
    }
    assert(types.size === 0, `${name}: ${[...types.keys()].join()} is missing.`);
    for (const { by, rows } of breakdowns) {
      const rest = new Map(month.groups.get(by));
      for (const { id, amount_usd, count } of rows) {
        const sum = id === '(other)' ? addUp(rest) : (rest.get(id ?? '') ?? { amount: 0n, count: 0 });
        if (id === '(other)') rest.clear();
        else rest.delete(id ?? '');
        assert(
          micro(amount_usd) === sum.amount && count === sum.count,
          `${name}: the row “${id ?? ''}” by ${by} does not match ledger.csv.`,
        );
      }
      assert(rest.size === 0, `${name}: rows by ${by} are missing.`);
    }
  }
});

function addUp(sums) {
  let [amount, count] = [0n, 0];
  for (const sum of sums.values()) [amount, count] = [amount + sum.amount, count + sum.count];
  return { amount, count };
}

for (const { month: name, by_type, breakdowns } of pack.statements) {
  const file = `statements/${name}.csv`;
  await check(file, () => compareCsv(file, statementRecords(name, months.get(name) ?? toMonth(), by_type, breakdowns)));
}

function statementRecords(name, { opening, closing, types, costs }, by_type, breakdowns) {
  assert(opening, 'the entries of ledger.jsonl are wrong.');
  const sumOf = (type) => types.get(type) ?? { amount: 0n, count: 0 };
  const funds = (section, { available, reserved }) => [
    [section, 'available', usd(available), '', '', name],
    [section, 'reserved', usd(reserved), '', '', name],
    [section, 'balance', usd(available + reserved), '', '', name],
  ];
  const next = new Date(`${name}-01T00:00:00.000Z`);
  next.setUTCMonth(next.getUTCMonth() + 1);
  const first = priceBooks.findLastIndex(({ since }) => since === null || since <= `${name}-01T00:00:00.000Z`);
  const books = priceBooks
    .slice(Math.max(first, 0))
    .filter(({ since }) => since === null || since < next.toISOString());
  const margin = 'of work with a known cost';
  return [
    ['section', 'name', 'amount_usd', 'count', 'seq', 'note'],
    ...funds('opening', opening),
    ...funds('closing', closing),
    ...by_type.map(({ type }) => ['entries', type, usd(sumOf(type).amount), sumOf(type).count, '', '']),
    ['entries', 'all', '', addUp(types).count, '', ''],
    [
      'entries',
      'spent',
      usd(-sumOf('SETTLE').amount - sumOf('REFUND').amount),
      sumOf('SETTLE').count,
      '',
      'SETTLE less REFUND',
    ],
    ...(hasCosts
      ? [
          [
            'costs',
            'provider_cost',
            costs.cost === undefined ? '' : usd(costs.cost),
            costs.known,
            '',
            costs.unknown === 0 ? '' : `${costs.unknown} charges without a known cost`,
          ],
          ['costs', 'corrected', usd(costs.corrected), '', '', 'part of provider_cost'],
          ['costs', 'outside_orders', usd(costs.outside), '', '', 'in neither'],
          ['costs', 'margin', costs.margin === undefined ? '' : usd(costs.margin), costs.known, '', margin],
        ]
      : []),
    ['entries', 'head', '', '', closing.head.seq || '', closing.head.seq ? closing.head.hash : ''],
    ...breakdowns.flatMap(({ by, rows }) =>
      rows.map(({ id, name, amount_usd, count }) => [`by ${by}`, name, amount_usd, count, '', id]),
    ),
    ...books.flatMap(({ since, data }) =>
      data.map(({ task, model, unit_price_usd, ...price }) => {
        const note = `${describePrice(price)}${since === null ? '' : `, since ${since}`}`;
        return ['price', [task, model].filter(Boolean).join(' '), unit_price_usd, '', '', note];
      }),
    ),
  ];
}

function describePrice({ unit, minimum_usd, multipliers = {} }) {
  const factors = Object.entries(multipliers).map(([field, options]) => {
    const texts = Object.entries(options).map(([option, factor]) => `${option} × ${factor}`);
    return `${field}: ${texts.join(', ')}`;
  });
  const factorText = factors.length === 0 ? '' : ` (${factors.join('; ')})`;
  return `per ${unit}${factorText}${Number(minimum_usd) === 0 ? '' : `, at least ${minimum_usd}`}`;
}

if (verification?.ok !== true) {
  const message = verification?.problem?.message ?? 'a problem, but it does not say which.';
  problems.push(`verification.json: Emulsion itself found: ${message}`);
}

if (problems.length > 0) fail();
const { closing } = pack.ledger;
const others = [...files.keys()].filter((name) => !recomputed.includes(name));
const ignored = present.filter((name) => IGNORED.has(basename(name)));
process.stdout
  .write(`Recomputed from the chains, and equal: ${recomputed.filter((name) => name !== 'seal.json').join(', ')}
  Ledger: ${entryCount} entries. Head ${closing.seq}:${closing.hash}
  Audit log: ${audit.count} events. Head ${audit.head.seq}:${audit.head.hash}
${hasClosings ? `  Closings: ${pack.closing.seq} entries. Head ${pack.closing.seq}:${pack.closing.hash}\n` : ''}Not changed since the export, by their checksums in event ${seal.event.seq} of the audit log: all files
  Event ${seal.event.seq}:${seal.event.hash}
Not proven, only not changed since: ${others.sort().join(', ')}
  In CSV files: names, prompts, tags, metadata and provider costs, and the sums by person and tag that follow from them
${ignored.length > 0 ? `Not part of the pack, not read: ${ignored.join(', ')}\n` : ''}Whoever can rewrite this folder can compute new hashes too. Compare both heads and the event with Emulsion, or with copies kept elsewhere.
`);
