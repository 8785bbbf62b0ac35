import type { MessagePort } from 'node:worker_threads';

/** What a thread says to the one that has the bus. `id` pairs a question with its answer. */
export type ToBus =
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

/** And what that one says to the thread. */
export type FromBus =
  | { readonly kind: 'word'; readonly topic: string; readonly message: unknown }
  | { readonly kind: 'call'; readonly id: number; readonly subject: string; readonly request: unknown }
  | { readonly kind: 'answer'; readonly id: number; readonly outcome: Outcome };

/** What became of a call. Classes do not survive on the way, their names do. */
export type Outcome =
  | { readonly done: true; readonly result: unknown }
  | { readonly done: false; readonly failure: string; readonly text: string };

/** The failure of a call that was on its way when its server stopped: nobody has done anything. */
export const UNSERVED = 'unserved';

type Answer = { readonly kind: 'answer'; readonly id: number; readonly outcome: Outcome };

/** Tells what became of a call, also when that cannot travel. */
export async function answerWith(port: MessagePort, id: number, work: () => Promise<unknown>): Promise<void> {
  try {
    port.postMessage({ kind: 'answer', id, outcome: { done: true, result: await work() } } satisfies Answer);
  } catch (error) {
    const [failure, text] = error instanceof Error ? [error.name, error.message] : ['Error', String(error)];
    port.postMessage({ kind: 'answer', id, outcome: { done: false, failure, text } } satisfies Answer);
  }
}

/** Questions of one end that the other has not answered yet. */
export function createWaiting() {
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
