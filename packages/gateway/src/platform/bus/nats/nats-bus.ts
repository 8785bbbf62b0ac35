import type { Msg } from '@nats-io/transport-node';
import { type Clock, inBackground, type Random, waitAtMost, within } from '#kernel';
import { createLocalBus } from '../local.ts';
import {
  type Bus,
  BusUnreachable,
  CallBroken,
  CallTimedOut,
  NoResponders,
  type Subscription,
} from '../port.ts';
import { connectToNats, type NatsSettings } from './connect.ts';
import { createAssembly, decode, encode, hasNoResponders, partOf, send } from './messages.ts';

export interface NatsBusParts {
  readonly settings: NatsSettings;
  /** Prefix of all subjects, so that one permission is enough: `parley.>`. */
  readonly subject: string;
  readonly clock: Clock;
  readonly random: Pick<Random, 'bytes'>;
  readonly log: BusLog;
}

interface BusLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** Time for pending publishes to leave on close. */
const CLOSE_FLUSH_TIMEOUT_MS = 1_000;

type Answer = { readonly done: true; readonly result: unknown } | { readonly done: false };
const done = (result: unknown): Uint8Array => encode({ done: true, result } satisfies Answer);
const broken = encode({ done: false } satisfies Answer);

/**
 * Bus of many processes. Messages for this process never leave it: a gateway that has lost its server keeps working with the sessions
 * it hosts, and its publishes to others are not awaited (they poll the database anyway). A call in progress when the connection breaks
 * is not repeated: it may have been received.
 */
export async function connectNatsBus(parts: NatsBusParts): Promise<Bus> {
  const { settings, clock, random, log } = parts;
  const connection = await connectToNats(settings);
  const local = createLocalBus({ clock });
  const waiting = new Map<string, PromiseWithResolvers<unknown>>();
  const answers = createAssembly();
  const callsTo = `${parts.subject}.call.`;
  const publishesOn = `${parts.subject}.words.`;
  const self = Buffer.from(random.bytes(12)).toString('hex');
  const inbox = `${parts.subject}.answer.${self}.`;
  const servings = new Map<string, Subscription>();
  const pendingPublishes = new Map<string, unknown[]>();
  let calls = 0;
  let isUp = true;

  async function followConnection(): Promise<void> {
    for await (const { type } of connection.status()) {
      if (type === 'disconnect' && isUp) {
        isUp = false;
        log.warn(
          {},
          'lost the bus; wake-ups are late and sessions of other processes out of reach until it is back',
        );
        giveUpCalls();
      }
      if (type === 'reconnect') {
        isUp = true;
        log.info({}, 'the bus is back');
      }
    }
  }

  function giveUpCalls(): void {
    for (const call of waiting.values()) call.reject(new BusUnreachable('the bus was lost during a call'));
  }

  function handleSafely(subject: string, handle: () => void): void {
    try {
      handle();
    } catch (cause) {
      log.warn({ err: cause, subject }, 'could not decode a message on the bus');
    }
  }

  /** `finish`: messages in transit at the stop are still handled, so that no caller waits in vain. */
  function listen(subject: string, onMessage: (message: Msg) => void, finish = false): Subscription {
    const subscription = connection.subscribe(subject, {
      callback(error, message) {
        if (error) return log.warn({ err: error, subject }, 'the bus refuses a subscription');
        handleSafely(subject, () => onMessage(message));
      },
    });
    return {
      stop() {
        if (finish && isUp && !subscription.isClosed())
          subscription
            .drain()
            .catch((error: unknown) => log.warn({ err: error, subject }, 'calls may get no answer'));
        else subscription.unsubscribe();
      },
    };
  }

  function takeAnswer(message: Msg): void {
    const key = message.subject.slice(inbox.length);
    const call = waiting.get(key);
    if (!call) return;
    if (hasNoResponders(message)) {
      call.reject(new NoResponders('no process serves this subject'));
      return;
    }
    const bytes = answers.add(partOf(message));
    if (!bytes) return;
    const answer = decode(bytes) as Answer;
    if (answer.done) call.resolve(answer.result);
    else call.reject(new CallBroken('the call failed in another process'));
  }

  async function callElsewhere(subject: string, request: unknown, timeoutMs: number): Promise<unknown> {
    if (!isUp) throw new BusUnreachable('the bus is out of reach');
    const key = String(calls++);
    const call = Promise.withResolvers<unknown>();
    waiting.set(key, call);
    const late = (): Error => new CallTimedOut(`${subject} did not answer within ${timeoutMs} ms`);
    try {
      sendMessage({ subject: callsTo + subject, reply: inbox + key, bytes: encode(request) });
      return await within(clock, timeoutMs, call.promise, late);
    } finally {
      waiting.delete(key);
    }
  }

  /** Messages of one turn travel together: a batch of accepted messages publishes many to the same topic. */
  function enqueuePublish(topic: string, message: unknown): void {
    const said = pendingPublishes.get(topic);
    if (said) return void said.push(message);
    if (pendingPublishes.size === 0) queueMicrotask(flushPublishes);
    pendingPublishes.set(topic, [message]);
  }

  function flushPublishes(): void {
    const said = [...pendingPublishes];
    pendingPublishes.clear();
    if (!isUp) return;
    for (const [topic, messages] of said) {
      try {
        sendMessage({ subject: publishesOn + topic, bytes: encode(messages) });
      } catch (error) {
        log.warn({ err: error, topic }, 'could not publish on the bus');
      }
    }
  }

  function sendMessage(message: { subject: string; reply?: string; bytes: Uint8Array }): void {
    send(connection, { ...message, sender: self });
  }

  const answering = listen(`${inbox}*`, takeAnswer);
  inBackground(followConnection(), log, 'the state of the bus is no longer followed');

  return {
    serve(subject, handle) {
      const here = local.serve(subject, handle);
      // The older server gets no more calls, in this process or another; its thread may hang.
      servings.get(subject)?.stop();
      const requests = createAssembly();
      const elsewhere = listen(
        callsTo + subject,
        (message) => {
          const { reply = '' } = message;
          const bytes = requests.add(partOf(message));
          if (!bytes) return;
          Promise.try(async () => done(await handle(decode(bytes))))
            .catch((error: unknown) => {
              log.warn({ err: error, subject }, 'a call from another process failed');
              return broken;
            })
            .then((answer) => (isUp ? sendMessage({ subject: reply, bytes: answer }) : undefined))
            .catch((error: unknown) => log.warn({ err: error, subject }, 'could not answer a call'));
        },
        true,
      );
      servings.set(subject, elsewhere);
      return {
        stop() {
          here.stop();
          elsewhere.stop();
          if (servings.get(subject) === elsewhere) servings.delete(subject);
        },
      };
    },

    async call(subject, request, options) {
      try {
        return await local.call(subject, request, options);
      } catch (error) {
        if (!(error instanceof NoResponders)) throw error;
      }
      return callElsewhere(subject, request, options.timeoutMs);
    },

    publish(topic, message) {
      local.publish(topic, message);
      if (isUp) enqueuePublish(topic, message);
    },

    subscribe(topic, listener) {
      const subject = publishesOn + topic;
      const here = local.subscribe(topic, listener);
      const assembly = createAssembly();
      const elsewhere = listen(subject, (message) => {
        const bytes = assembly.add(partOf(message));
        if (!bytes) return;
        for (const each of decode(bytes) as unknown[]) handleSafely(subject, () => listener(each));
      });
      return {
        stop() {
          here.stop();
          elsewhere.stop();
        },
      };
    },

    async check() {
      if (!isUp) throw new BusUnreachable('the bus is out of reach');
      await connection.flush();
    },

    async close() {
      answering.stop();
      giveUpCalls();
      await local.close();
      if (isUp)
        await waitAtMost(
          clock,
          CLOSE_FLUSH_TIMEOUT_MS,
          connection
            .flush()
            .catch((error: unknown) => log.warn({ err: error }, 'the last publishes may be lost')),
        );
      isUp = false;
      await connection.close();
    },
  };
}
