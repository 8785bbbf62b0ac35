import type { Msg } from '@nats-io/transport-node';
import { type Clock, inBackground, type Random, waitAtMost, within } from '#kernel';
import { createLocalBus } from '../local.ts';
import {
  type Bus,
  BusUnreachable,
  CallBroken,
  CallTimedOut,
  NobodyServes,
  type Subscription,
} from '../port.ts';
import { connectToNats, type NatsSettings } from './connect.ts';
import { createAssembly, decode, encode, partOf, saysNobodyServes, send } from './messages.ts';

export interface NatsBusParts {
  readonly settings: NatsSettings;
  /** All subjects begin with it, so that one permission is enough: `parley.>`. */
  readonly subject: string;
  readonly clock: Clock;
  readonly random: Pick<Random, 'bytes'>;
  readonly log: BusLog;
}

interface BusLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** What is still to be said gets so long to leave. */
const LAST_WORDS_MS = 1_000;

type Answer = { readonly done: true; readonly result: unknown } | { readonly done: false };
const done = (result: unknown): Uint8Array => encode({ done: true, result } satisfies Answer);
const broken = encode({ done: false } satisfies Answer);

/**
 * The bus of many processes. Whatever is for this process itself never leaves it: a gateway that has lost its server goes on working
 * with all that it hosts, and what it says to others waits for nobody (they look into the database by themselves).
 *
 * A call that is under way when the connection breaks is not repeated: it may have been heard.
 */
export async function connectNatsBus(parts: NatsBusParts): Promise<Bus> {
  const { settings, clock, random, log } = parts;
  const connection = await connectToNats(settings);
  const local = createLocalBus({ clock });
  const waiting = new Map<string, PromiseWithResolvers<unknown>>();
  const answers = createAssembly();
  const callsTo = `${parts.subject}.call.`;
  const wordsOn = `${parts.subject}.words.`;
  const self = Buffer.from(random.bytes(12)).toString('hex');
  const inbox = `${parts.subject}.answer.${self}.`;
  const servings = new Map<string, Subscription>();
  const words = new Map<string, unknown[]>();
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

  function understand(subject: string, hear: () => void): void {
    try {
      hear();
    } catch (cause) {
      log.warn({ err: cause, subject }, 'could not understand a message on the bus');
    }
  }

  /** `finish`: what was on its way when it stops is still heard, so that no caller waits for an answer in vain. */
  function listen(subject: string, hear: (message: Msg) => void, finish = false): Subscription {
    const subscription = connection.subscribe(subject, {
      callback(error, message) {
        if (error) return log.warn({ err: error, subject }, 'the bus does not let us listen');
        understand(subject, () => hear(message));
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
    if (saysNobodyServes(message)) {
      call.reject(new NobodyServes('nobody serves this, in any process'));
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
      tell({ subject: callsTo + subject, reply: inbox + key, bytes: encode(request) });
      return await within(clock, timeoutMs, call.promise, late);
    } finally {
      waiting.delete(key);
    }
  }

  /** What is said in one go travels together: a batch of accepted messages has many words for the same topic. */
  function say(topic: string, message: unknown): void {
    const said = words.get(topic);
    if (said) return void said.push(message);
    if (words.size === 0) queueMicrotask(sendWords);
    words.set(topic, [message]);
  }

  function sendWords(): void {
    const said = [...words];
    words.clear();
    if (!isUp) return;
    for (const [topic, messages] of said) {
      try {
        tell({ subject: wordsOn + topic, bytes: encode(messages) });
      } catch (error) {
        log.warn({ err: error, topic }, 'could not say something on the bus');
      }
    }
  }

  function tell(message: { subject: string; reply?: string; bytes: Uint8Array }): void {
    send(connection, { ...message, sender: self });
  }

  const answering = listen(`${inbox}*`, takeAnswer);
  inBackground(followConnection(), log, 'the state of the bus is no longer followed');

  return {
    serve(subject, handle) {
      const here = local.serve(subject, handle);
      // The older server hears no more calls, from this process or another; its thread may hang.
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
            .then((answer) => (isUp ? tell({ subject: reply, bytes: answer }) : undefined))
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
        if (!(error instanceof NobodyServes)) throw error;
      }
      return callElsewhere(subject, request, options.timeoutMs);
    },

    publish(topic, message) {
      local.publish(topic, message);
      if (isUp) say(topic, message);
    },

    subscribe(topic, listener) {
      const subject = wordsOn + topic;
      const here = local.subscribe(topic, listener);
      const words = createAssembly();
      const elsewhere = listen(subject, (message) => {
        const bytes = words.add(partOf(message));
        if (!bytes) return;
        for (const each of decode(bytes) as unknown[]) understand(subject, () => listener(each));
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
          LAST_WORDS_MS,
          connection.flush().catch((error: unknown) => log.warn({ err: error }, 'last words may be lost')),
        );
      isUp = false;
      await connection.close();
    },
  };
}
