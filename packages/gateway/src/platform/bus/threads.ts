import type { MessagePort } from 'node:worker_threads';
import { type Clock, neverRejects, warnOf, within } from '#kernel';
import { assertCarried } from './local.ts';
import {
  type Bus,
  BusUnreachable,
  CallBroken,
  CallTimedOut,
  NoResponders,
  type Subscription,
} from './port.ts';

/** Messages of a thread to the one that has the bus. `id` pairs a request with its answer. */
type ToBus =
  | { readonly kind: 'serve' | 'stop_serving'; readonly subject: string }
  | { readonly kind: 'subscribe' | 'unsubscribe'; readonly topic: string }
  | { readonly kind: 'publish'; readonly words: readonly (readonly [topic: string, message: unknown])[] }
  | {
      readonly kind: 'call';
      readonly id: number;
      readonly subject: string;
      readonly request: unknown;
      readonly timeoutMs: number;
    }
  | { readonly kind: 'check'; readonly id: number }
  | { readonly kind: 'answer'; readonly id: number; readonly outcome: Outcome };

/** Messages of that one to the thread. */
type FromBus =
  | { readonly kind: 'word'; readonly topic: string; readonly message: unknown }
  | { readonly kind: 'call'; readonly id: number; readonly subject: string; readonly request: unknown }
  | { readonly kind: 'answer'; readonly id: number; readonly outcome: Outcome };

/** Outcome of a call. Error classes are not preserved in transit, their names are. */
type Outcome =
  | { readonly done: true; readonly result: unknown }
  | { readonly done: false; readonly failure: string; readonly text: string };

/** Failure of a call in transit when its server stopped: no handler ran. */
const UNSERVED = 'unserved';

type Answer = { readonly kind: 'answer'; readonly id: number; readonly outcome: Outcome };

/** Sends the outcome of a call, also when the outcome itself cannot be transferred. */
async function answerWith(port: MessagePort, id: number, work: () => Promise<unknown>): Promise<void> {
  try {
    port.postMessage({ kind: 'answer', id, outcome: { done: true, result: await work() } } satisfies Answer);
  } catch (error) {
    const [failure, text] = error instanceof Error ? [error.name, error.message] : ['Error', String(error)];
    port.postMessage({ kind: 'answer', id, outcome: { done: false, failure, text } } satisfies Answer);
  }
}

/** Requests that the other end has not answered yet. */
function createWaiting() {
  const waiting = new Map<number, PromiseWithResolvers<Outcome>>();
  let asked = 0;
  return {
    /** `ask` sends the question under an id. */
    expect(ask: (id: number) => void): { readonly id: number; readonly outcome: Promise<Outcome> } {
      const id = ++asked;
      const call = Promise.withResolvers<Outcome>();
      waiting.set(id, call);
      try {
        ask(id);
      } catch (error) {
        waiting.delete(id);
        call.reject(error);
      }
      return { id, outcome: call.promise };
    },
    settle(id: number, outcome: Outcome): void {
      waiting.get(id)?.resolve(outcome);
      waiting.delete(id);
    },
    forget: (id: number) => void waiting.delete(id),
    failAll(error: Error): void {
      for (const call of waiting.values()) call.reject(error);
      waiting.clear();
    },
  };
}

/** Connects the thread at the other end of the port to a bus of this one. Its servers and subscriptions end with the port. */
export function offerBus(bus: Bus, port: MessagePort): void {
  const servings = new Map<string, Subscription>();
  const subscriptions = new Map<string, Subscription>();
  const calls = createWaiting();
  const send = (message: FromBus): void => port.postMessage(message);

  async function ask(subject: string, request: unknown): Promise<unknown> {
    const { outcome } = calls.expect((id) => send({ kind: 'call', id, subject, request }));
    const answer = await outcome;
    if (answer.done) return answer.result;
    if (answer.failure === UNSERVED) throw new NoResponders(`${subject} has no server any more`);
    throw new CallBroken(`${subject} failed in its thread: ${answer.text}`);
  }

  function onMessage(said: ToBus): void {
    switch (said.kind) {
      case 'serve':
        servings.set(
          said.subject,
          bus.serve(said.subject, (request) => ask(said.subject, request)),
        );
        break;
      case 'stop_serving':
        stop(servings, said.subject);
        break;
      case 'subscribe':
        subscriptions.set(
          said.topic,
          bus.subscribe(said.topic, (message) => send({ kind: 'word', topic: said.topic, message })),
        );
        break;
      case 'unsubscribe':
        stop(subscriptions, said.topic);
        break;
      case 'publish':
        for (const [topic, message] of said.words) bus.publish(topic, message);
        break;
      case 'call': {
        const { subject, request, timeoutMs } = said;
        neverRejects(answerWith(port, said.id, () => bus.call(subject, request, { timeoutMs })));
        break;
      }
      case 'check':
        neverRejects(answerWith(port, said.id, () => bus.check()));
        break;
      case 'answer':
        calls.settle(said.id, said.outcome);
    }
  }

  port.on('message', onMessage);
  port.on('close', () => {
    for (const each of [...servings.values(), ...subscriptions.values()]) each.stop();
    calls.failAll(new BusUnreachable('the thread that was called is gone'));
  });
}

function stop(among: Map<string, Subscription>, name: string): void {
  among.get(name)?.stop();
  among.delete(name);
}

type Handler = (request: unknown) => Promise<unknown>;
type Listener = (message: unknown) => void;

/** Longer than the bus's own timeout: the bus knows the outcome of the call better. */
const GRACE_MS = 1_000;
const CHECK_MS = 2_000;

/** The bus of another thread of this process, through that thread's offer. */
export function reachBus(port: MessagePort, { clock }: { clock: Clock }): Bus {
  const servers = new Map<string, Handler>();
  const listeners = new Map<string, Set<Listener>>();
  const questions = createWaiting();
  let words: [topic: string, message: unknown][] = [];
  let isOpen = true;
  const closed = new Promise<void>((resolve) => port.once('close', resolve));

  function send(message: ToBus): void {
    flushPublishes();
    if (isOpen) port.postMessage(message);
  }

  /** Messages of one turn travel together. */
  function flushPublishes(): void {
    const said = words;
    words = [];
    if (isOpen && said.length > 0) port.postMessage({ kind: 'publish', words: said } satisfies ToBus);
  }

  async function ask(question: (id: number) => ToBus, timeoutMs: number, late: string): Promise<unknown> {
    if (!isOpen) throw new BusUnreachable('the bus is closed');
    const { id, outcome } = questions.expect((own) => send(question(own)));
    try {
      const answer = await within(clock, timeoutMs, outcome, () => new CallTimedOut(late));
      if (answer.done) return answer.result;
      throw errorOf(answer);
    } finally {
      questions.forget(id);
    }
  }

  function onMessage(message: FromBus): void {
    if (message.kind === 'answer') questions.settle(message.id, message.outcome);
    else if (message.kind === 'word') publishToListeners(message.topic, message.message);
    else answer(message);
  }

  function publishToListeners(topic: string, message: unknown): void {
    // Listeners never share an object.
    for (const listener of listeners.get(topic) ?? []) {
      try {
        listener(structuredClone(message));
      } catch (error) {
        // The other listeners still get the message.
        warnOf(`a listener to ${topic} failed`)(error);
      }
    }
  }

  function answer({ id, subject, request }: Extract<FromBus, { kind: 'call' }>): void {
    const handle = servers.get(subject);
    if (handle) neverRejects(answerWith(port, id, () => handle(request)));
    else send({ kind: 'answer', id, outcome: { done: false, failure: UNSERVED, text: subject } });
  }

  port.on('message', onMessage);
  port.on('close', () => {
    isOpen = false;
    questions.failAll(new BusUnreachable('the bus was closed during a call'));
  });

  return {
    serve(subject, handle) {
      assertCarried(subject);
      const own: Handler = (request) => handle(request);
      servers.set(subject, own);
      send({ kind: 'serve', subject });
      return {
        stop() {
          if (servers.get(subject) !== own) return;
          servers.delete(subject);
          send({ kind: 'stop_serving', subject });
        },
      };
    },

    call(subject, request, { timeoutMs }) {
      const question = (id: number): ToBus => ({ kind: 'call', id, subject, request, timeoutMs });
      return ask(question, timeoutMs + GRACE_MS, `${subject} did not answer within ${timeoutMs} ms`);
    },

    publish(topic, message) {
      if (words.length === 0) queueMicrotask(flushPublishes);
      words.push([topic, message]);
    },

    subscribe(topic, listener) {
      assertCarried(topic);
      // A new function object: the same listener may subscribe twice.
      const own: Listener = (message) => listener(message);
      const group = listeners.get(topic) ?? new Set();
      if (group.size === 0) send({ kind: 'subscribe', topic });
      listeners.set(topic, group.add(own));
      return {
        stop() {
          if (!group.delete(own) || group.size > 0 || listeners.get(topic) !== group) return;
          listeners.delete(topic);
          send({ kind: 'unsubscribe', topic });
        },
      };
    },

    check: async () => void (await ask((id) => ({ kind: 'check', id }), CHECK_MS, 'the bus does not answer')),

    async close() {
      flushPublishes();
      port.close();
      await closed;
    },
  };
}

const ERRORS = { NoResponders, CallTimedOut, CallBroken, BusUnreachable };

function errorOf({ failure, text }: Extract<Outcome, { done: false }>): Error {
  const Known = Object.entries(ERRORS).find(([name]) => name === failure)?.[1] ?? CallBroken;
  return new Known(text);
}
