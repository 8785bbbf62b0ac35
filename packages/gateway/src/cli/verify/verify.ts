import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { createSystemClock, waitAtMost } from '#kernel';
import manifest from '../../../package.json' with { type: 'json' };
import { readEnvironment, SETTINGS } from '../../config/config.ts';
import { account, operatorIfAny } from '../client/connect.ts';
import { CommandError, type Run } from '../command.ts';
import type { VERIFY } from '../specs.ts';
import type { Terminal } from '../terminal.ts';
import { CHECKLIST } from './checklist.ts';
import { CHECKS, type CheckId, codesOf, type LinkedNumber, type Pair } from './checks.ts';

/**
 * Goes through the checklist for real numbers. Each line is done once: its result is stored before the next one
 * begins, so that an interrupted run goes on where it was. Neither the state nor the report has a number, a name or a
 * text: only ids of lines, codes and times.
 */

const LONGEST_RUN_MS = 60 * 60_000;
const LONGEST_CHECK_MS = 5 * 60_000;
const PRIVATE = 0o600;

interface Result {
  readonly outcome: 'pass' | 'fail' | 'skipped';
  readonly ms: number;
  readonly codes?: readonly string[];
}

interface State {
  readonly started_at: string;
  /** Time of all runs together. */
  spent_ms: number;
  readonly results: Record<string, Result>;
}

const ANSWERS: Readonly<Record<string, Result['outcome']>> = {
  y: 'pass',
  n: 'fail',
  s: 'skipped',
  '': 'skipped',
};

export const verify: Run<typeof VERIFY> = async ({ options, connection, terminal }) => {
  if (!options.a || !options.b || options.a === options.b)
    throw new CommandError('pass two different numbers: --a and --b');
  const environment = readEnvironment();
  const clock = createSystemClock();
  const parley = account(connection, environment);
  const { sessions } = await parley.sessions.list();
  const find = (given: string): LinkedNumber => {
    const session = sessions.find(({ phone }) => phone === given.replace('+', ''));
    if (!session)
      throw new CommandError(
        'both numbers must be linked, and reached by the API key; parley pair links one',
      );
    return { phone: session.phone, sessionId: session.session_id };
  };
  const pair: Pair = { parley, clock, a: find(options.a), b: find(options.b) };

  const folder = environment[SETTINGS.dataDir.name] || SETTINGS.dataDir.standard;
  const file = path.join(folder, `verify-${digestOf(pair)}.json`);
  const state = (options.anew ? undefined : readState(file)) ?? {
    started_at: new Date(clock.now()).toISOString(),
    spent_ms: 0,
    results: {},
  };
  const lines = CHECKLIST.flatMap(({ title, lines }) => lines.map((line) => ({ title, ...line })));
  const known = lines.filter(({ id }) => state.results[id]).length;
  if (known > 0) terminal.note(`Resuming: ${known} of ${lines.length} lines are done.`);

  const person = options.yes ? undefined : createPerson(terminal);
  try {
    for (const [index, line] of lines.entries()) {
      if (state.results[line.id]) continue;
      const place = `[${index + 1}/${lines.length}]`;
      const began = clock.monotonic();
      const isLate = state.spent_ms >= LONGEST_RUN_MS;
      const result = isLate
        ? ({ outcome: 'skipped', codes: ['out_of_time'] } as const)
        : isChecked(line)
          ? await check(line.id, pair)
          : await ask(person, `${place} ${line.title.replace(/^#+ /, '')}\n${line.text}`);
      // A terminal that is closed answers nothing: the next run asks again.
      if (!result) break;
      const ms = Math.round(clock.monotonic() - began);
      state.results[line.id] = { ...result, ms };
      state.spent_ms += ms;
      writeState(file, state);
      terminal.note(`${place} ${line.id}: ${result.outcome} ${(result.codes ?? []).join(' ')} (${ms} ms)`);
    }
  } finally {
    person?.close();
  }

  const report = await reportOn(state, await foundIn(pair, operatorIfAny(connection, environment)));
  const out = options.out ?? path.join(folder, 'verify-report.json');
  writePrivately(out, report);
  terminal.show(
    report,
    () => `${summary(report.counts)}\nThe report, without numbers, names and texts: ${out}`,
  );
  const left = lines.filter(({ id }) => !state.results[id]).length;
  if (left > 0)
    throw new CommandError(
      `the input ended with ${left} lines left; run it again to go on, or with --yes to skip them`,
    );
  if (report.counts.fail > 0)
    throw new CommandError(`${report.counts.fail} lines failed; the report names them`);
};

function isChecked(line: {
  readonly id: string;
  readonly checked?: true;
}): line is { id: CheckId; checked: true } {
  return line.checked === true;
}

async function check(id: CheckId, pair: Pair): Promise<Omit<Result, 'ms'>> {
  try {
    const work = CHECKS[id](pair).then(() => true);
    const isDone = await waitAtMost(createSystemClock(), LONGEST_CHECK_MS, work);
    return isDone ? { outcome: 'pass' } : { outcome: 'fail', codes: ['too_slow'] };
  } catch (error) {
    return { outcome: 'fail', codes: codesOf(error) };
  }
}

interface Person {
  ask(question: string): Promise<string | undefined>;
  close(): void;
}

/** Undefined at the end of the input. */
async function ask(person: Person | undefined, question: string): Promise<Omit<Result, 'ms'> | undefined> {
  if (!person) return { outcome: 'skipped', codes: ['needs_hands'] };
  for (;;) {
    const answer = await person.ask(question);
    if (answer === undefined) return undefined;
    const outcome = ANSWERS[answer.trim().slice(0, 1).toLowerCase()];
    if (outcome) return { outcome };
  }
}

/** Reads answers line by line; undefined after the end of the input. */
function createPerson(terminal: Terminal): Person {
  const input: Interface = createInterface({ input: process.stdin });
  const answers = input[Symbol.asyncIterator]();
  return {
    async ask(question) {
      terminal.note(`\n${question}\n(y) as described, (n) not, (s) skip:`);
      const { value, done } = await answers.next();
      return done ? undefined : value;
    },
    close: () => input.close(),
  };
}

interface Found {
  /** What the driver did not understand, over all numbers; empty without the operator's token. */
  readonly unknown: readonly { readonly part: string; readonly name: string; readonly count: number }[];
  /** Counts of the last day, of A and B: refusals by code, disconnects and the like. */
  readonly last_day: readonly Readonly<Record<string, number>>[];
}

async function foundIn(pair: Pair, operator: ReturnType<typeof operatorIfAny>): Promise<Found> {
  const entries = operator ? (await operator.drift.list()).entries : [];
  const unknown = entries.map(({ part, name, count }) => ({ part, name, count }));
  const health = [pair.a, pair.b].map(({ sessionId }) => pair.parley.sessions.getHealth(sessionId));
  return { unknown, last_day: (await Promise.all(health)).map(({ last_day }) => ({ ...last_day })) };
}

function reportOn({ started_at, spent_ms, results }: State, found: Found) {
  const counts = { pass: 0, fail: 0, skipped: 0 };
  const codes: Record<string, number> = {};
  for (const { outcome, codes: seen = [] } of Object.values(results)) {
    counts[outcome] += 1;
    for (const code of outcome === 'fail' ? seen : []) codes[code] = (codes[code] ?? 0) + 1;
  }
  const lines = Object.entries(results).map(([id, result]) => ({ id, ...result }));
  return {
    parley: manifest.version,
    node: process.version,
    started_at,
    spent_ms,
    counts,
    codes,
    ...found,
    lines,
  };
}

function summary({ pass, fail, skipped }: ReturnType<typeof reportOn>['counts']): string {
  return `${pass} passed, ${fail} failed, ${skipped} skipped`;
}

/** The name of the file must not say which numbers were checked. */
function digestOf({ a, b }: Pair): string {
  return createHash('sha256').update(`${a.phone} ${b.phone}`).digest('hex').slice(0, 12);
}

function readState(file: string): State | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new CommandError(`${file} cannot be read; pass --anew to begin anew`);
  }
}

function writeState(file: string, state: State): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writePrivately(`${file}.new`, state);
  renameSync(`${file}.new`, file);
}

function writePrivately(file: string, content: object): void {
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`, { mode: PRIVATE });
}
