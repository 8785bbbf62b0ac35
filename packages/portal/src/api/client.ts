import { routes } from 'virtual:routes';
import type { AnswerOf, BodyOf, Operation, operations, ParamsOf, QueryOf } from '@parley/contract';
import { followGatewayClock, localNow, timeoutSignal } from '../kernel/clock.ts';
import { words } from '../texts/common.ts';
import { Problem, unlessUnanswered } from './problem.ts';

type Operations = typeof operations;
/** The operations that the pages may use. */
export type CallId = {
  [Id in keyof Operations]: Operations[Id]['surface'] extends 'portal' | 'portal_entrance' | 'operator'
    ? Id
    : never;
}[keyof Operations];

type Has<O, Part extends string> = O extends Record<Part, object> ? true : false;
type InputOfOperation<O extends Operation> = (Has<O, 'params'> extends true
  ? { params: ParamsOf<O> }
  : unknown) &
  (Has<O, 'query'> extends true ? { query?: QueryOf<O> } : unknown) &
  (Has<O, 'body'> extends true
    ? O extends { bodyOptional: true }
      ? { body?: BodyOf<O> }
      : { body: BodyOf<O> }
    : unknown);

export type InputOf<Id extends CallId> = InputOfOperation<Operations[Id]>;
export type Answer<Id extends CallId> = AnswerOf<Operations[Id]>;
type Arguments<Id extends CallId> =
  Record<never, never> extends InputOf<Id> ? [input?: InputOf<Id>] : [input: InputOf<Id>];

/** Input of any operation, untyped. */
interface Parts {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** Header that the gateway requires of changing requests, against cross-site request forgery. */
const FROM_THE_PORTAL = { 'X-Parley-Portal': '1' };

/** Longer than any operation takes; without it, a request on a dead connection never ends. */
const REQUEST_TIMEOUT_MS = 60_000;

type Refusal = (problem: Problem, id: CallId) => void;
let onRefusal: Refusal = () => {};

/** Calls `watcher` for every refusal before the caller gets it: signed out, terms changed, suspended. */
export function watchRefusals(watcher: Refusal): void {
  onRefusal = watcher;
}

let onChange: (id: CallId) => void = () => {};

/** Calls `watcher` after every operation that changed something. */
export function watchChanges(watcher: (id: CallId) => void): void {
  onChange = watcher;
}

/** Calls an operation of the gateway: `call('getNumber', { params: { phone } })`. Throws a `Problem`. */
export async function call<Id extends CallId>(id: Id, ...[input]: Arguments<Id>): Promise<Answer<Id>> {
  try {
    const answer = await ask(id, input ?? {});
    if (routes[id]?.[0] !== 'GET') onChange(id);
    return answer;
  } catch (thrown) {
    if (thrown instanceof Problem) onRefusal(thrown, id);
    throw thrown;
  }
}

async function ask<Id extends CallId>(id: Id, { params = {}, query = {}, body }: Parts): Promise<Answer<Id>> {
  const [method, path] = routes[id] ?? [];
  if (method === undefined || path === undefined) throw new Error(`${id} is not an operation of the portal`);
  const askedAt = localNow();
  const response = await fetch(addressOf(path, params, query), {
    method,
    headers: {
      ...(method !== 'GET' && FROM_THE_PORTAL),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: timeoutSignal(REQUEST_TIMEOUT_MS),
  }).catch(unreachable);
  followGatewayClock(response.headers.get('Date'), askedAt);
  if (!response.ok) throw await problemOf(response);
  // A success without a body answers null; its callers read no answer.
  return JSON.parse((await response.text().catch(unreachable)) || 'null');
}

function unreachable(thrown: unknown): never {
  unlessUnanswered(thrown);
  throw new Problem(0, words.unreachable);
}

/** Whether the gateway serves this page, whichever build of it. */
export async function isServed(path: string): Promise<boolean> {
  const request = fetch(path, { cache: 'no-store', signal: timeoutSignal(REQUEST_TIMEOUT_MS) });
  return (await request.catch(unlessUnanswered))?.ok ?? false;
}

export function addressOf(path: string, params: Parts['params'] = {}, query: Parts['query'] = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(String(params[name])),
  );
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return given.length === 0 ? filled : `${filled}?${search}`;
}

async function problemOf(response: Response): Promise<Problem> {
  const answer: unknown = await response.json().catch(unlessUnanswered);
  const text =
    typeof answer === 'object' && answer !== null && 'error' in answer
      ? String(answer.error)
      : words.answered(response.status);
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return new Problem(response.status, text, Number.isNaN(retryAfter) ? undefined : retryAfter);
}
