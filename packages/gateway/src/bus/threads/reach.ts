import type { MessagePort } from 'node:worker_threads';
import { type Clock, neverRejects, warnOf, within } from '#kernel';
import { assertCarried } from '../local.ts';
import { type Bus, BusUnreachable, CallBroken, CallTimedOut, NobodyServes } from '../port.ts';
import { answerWith, createWaiting, type FromBus, type Outcome, type ToBus, UNSERVED } from './messages.ts';

type Handler = (request: unknown) => Promise<unknown>;
type Listener = (message: unknown) => void;

/** Longer than the bus itself takes to give a call up: it knows better what became of it. */
const GRACE_MS = 1_000;
const CHECK_MS = 2_000;

/** The bus of another thread of this process, as that thread offers it. */
export function reachBus(port: MessagePort, { clock }: { clock: Clock }): Bus {
  const servers = new Map<string, Handler>();
  const listeners = new Map<string, Set<Listener>>();
  const questions = createWaiting();
  let words: [topic: string, message: unknown][] = [];
  let isOpen = true;
  const closed = new Promise<void>((resolve) => port.once('close', resolve));

  function tell(message: ToBus): void {
    sayWords();
    if (isOpen) port.postMessage(message);
  }

  /** What is said in one go travels together. */
  function sayWords(): void {
    const said = words;
    words = [];
    if (isOpen && said.length > 0) port.postMessage({ kind: 'publish', words: said } satisfies ToBus);
  }

  async function ask(question: (id: number) => ToBus, timeoutMs: number, late: string): Promise<unknown> {
    if (!isOpen) throw new BusUnreachable('the bus is closed');
    const { id, outcome } = questions.expect((own) => tell(question(own)));
    try {
      const answer = await within(clock, timeoutMs, outcome, () => new CallTimedOut(late));
      if (answer.done) return answer.result;
      throw errorOf(answer);
    } finally {
      questions.forget(id);
    }
  }

  function hear(told: FromBus): void {
    if (told.kind === 'answer') questions.settle(told.id, told.outcome);
    else if (told.kind === 'word') tellListeners(told.topic, told.message);
    else answer(told);
  }

  function tellListeners(topic: string, message: unknown): void {
    // Nobody shares an object with another listener.
    for (const listener of listeners.get(topic) ?? []) {
      try {
        listener(structuredClone(message));
      } catch (error) {
        // The others still get the word.
        warnOf(`a listener to ${topic} failed`)(error);
      }
    }
  }

  function answer({ id, subject, request }: Extract<FromBus, { kind: 'call' }>): void {
    const handle = servers.get(subject);
    if (handle) neverRejects(answerWith(port, id, () => handle(request)));
    else tell({ kind: 'answer', id, outcome: { done: false, failure: UNSERVED, text: subject } });
  }

  port.on('message', hear);
  port.on('close', () => {
    isOpen = false;
    questions.failAll(new BusUnreachable('the bus was closed during a call'));
  });

  return {
    serve(subject, handle) {
      assertCarried(subject);
      const own: Handler = (request) => handle(request);
      servers.set(subject, own);
      tell({ kind: 'serve', subject });
      return {
        stop() {
          if (servers.get(subject) !== own) return;
          servers.delete(subject);
          tell({ kind: 'stop_serving', subject });
        },
      };
    },

    call(subject, request, { timeoutMs }) {
      const question = (id: number): ToBus => ({ kind: 'call', id, subject, request, timeoutMs });
      return ask(question, timeoutMs + GRACE_MS, `${subject} did not answer within ${timeoutMs} ms`);
    },

    publish(topic, message) {
      if (words.length === 0) queueMicrotask(sayWords);
      words.push([topic, message]);
    },

    subscribe(topic, listener) {
      assertCarried(topic);
      // The same one may listen twice.
      const own: Listener = (message) => listener(message);
      const group = listeners.get(topic) ?? new Set();
      if (group.size === 0) tell({ kind: 'subscribe', topic });
      listeners.set(topic, group.add(own));
      return {
        stop() {
          if (!group.delete(own) || group.size > 0 || listeners.get(topic) !== group) return;
          listeners.delete(topic);
          tell({ kind: 'unsubscribe', topic });
        },
      };
    },

    check: async () => void (await ask((id) => ({ kind: 'check', id }), CHECK_MS, 'the bus does not answer')),

    async close() {
      sayWords();
      port.close();
      await closed;
    },
  };
}

const ERRORS = { NobodyServes, CallTimedOut, CallBroken, BusUnreachable };

function errorOf({ failure, text }: Extract<Outcome, { done: false }>): Error {
  const Known = Object.entries(ERRORS).find(([name]) => name === failure)?.[1] ?? CallBroken;
  return new Known(text);
}
