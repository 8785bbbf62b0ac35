import { type Clock, warnOf, within } from '#kernel';
import { type Bus, BusUnreachable, CallBroken, CallTimedOut, NoResponders } from './port.ts';

type Handler = (request: unknown) => Promise<unknown>;
type Listener = (message: unknown) => void;

/** Bus of a gateway that runs as one process. */
export function createLocalBus({ clock }: { clock: Clock }): Bus {
  const servers = new Map<string, Handler>();
  const listeners = new Map<string, Set<Listener>>();

  return {
    serve(subject, handle) {
      assertCarried(subject);
      // A new function object, so that one handler can serve twice.
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
      if (!handle) throw new NoResponders(`no server for ${subject}`);
      const answered = Promise.try(handle, asIfSent(request)).then(asIfSent, (cause) => {
        // The server may be in another thread, and gone.
        if (cause instanceof BusUnreachable || cause instanceof NoResponders) throw cause;
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
          // The other listeners still get the message.
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

/** Names that a server between processes refuses, or treats as a pattern, are refused in one process as well. */
export function assertCarried(name: string): void {
  if (name === '' || /[\s*>]/.test(name)) throw new TypeError(`the bus carries nothing under “${name}”`);
}

/** Copies the payload: with many processes it would be a copy, so no object is shared with another room here either. */
function asIfSent<T>(payload: T): T {
  return typeof payload === 'object' ? structuredClone(payload) : payload;
}
