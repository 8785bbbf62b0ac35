import { type Clock, warnOf, within } from '#kernel';
import { type Bus, BusUnreachable, CallBroken, CallTimedOut, NobodyServes } from './port.ts';

type Handler = (request: unknown) => Promise<unknown>;
type Listener = (message: unknown) => void;

/** The bus of a gateway that is one process. */
export function createLocalBus({ clock }: { clock: Clock }): Bus {
  const servers = new Map<string, Handler>();
  const listeners = new Map<string, Set<Listener>>();

  return {
    serve(subject, handle) {
      assertCarried(subject);
      // Its own object, so that one handler may serve twice.
      const own: Handler = (request) => handle(request);
      servers.set(subject, own);
      return {
        stop: () => {
          if (servers.get(subject) === own) servers.delete(subject);
        },
      };
    },

    async call(subject, request, { timeoutMs }) {
      const handle = servers.get(subject);
      if (!handle) throw new NobodyServes(`nobody serves ${subject}`);
      const answered = Promise.try(handle, asIfSent(request)).then(asIfSent, (cause) => {
        // Whoever serves may be in another thread, and gone.
        if (cause instanceof BusUnreachable || cause instanceof NobodyServes) throw cause;
        throw new CallBroken(`${subject} failed`, { cause });
      });
      const late = (): Error => new CallTimedOut(`${subject} did not answer within ${timeoutMs} ms`);
      return within(clock, timeoutMs, answered, late);
    },

    publish(topic, message) {
      for (const listener of listeners.get(topic) ?? []) {
        queueMicrotask(() => {
          if (listeners.get(topic)?.has(listener)) listener(asIfSent(message));
        });
      }
    },

    subscribe(topic, listener) {
      assertCarried(topic);
      const own: Listener = (message) => {
        try {
          listener(message);
        } catch (error) {
          // The others still get the word.
          warnOf(`a listener to ${topic} failed`)(error);
        }
      };
      const group = listeners.get(topic) ?? new Set();
      listeners.set(topic, group.add(own));
      return {
        stop: () => {
          group.delete(own);
          if (group.size === 0 && listeners.get(topic) === group) listeners.delete(topic);
        },
      };
    },

    check: async () => {},

    async close() {
      servers.clear();
      listeners.clear();
    },
  };
}

/** A name that a server between processes refuses, or takes for a pattern, must not work in one process either. */
export function assertCarried(name: string): void {
  if (name === '' || /[\s*>]/.test(name)) throw new TypeError(`the bus carries nothing under “${name}”`);
}

/** Nobody gets to share an object with another room by way of the bus: in many processes it would be a copy, so it is one here. */
function asIfSent<T>(payload: T): T {
  return typeof payload === 'object' ? structuredClone(payload) : payload;
}
