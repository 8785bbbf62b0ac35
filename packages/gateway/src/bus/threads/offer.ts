import type { MessagePort } from 'node:worker_threads';
import { neverRejects } from '#kernel';
import { type Bus, BusUnreachable, CallBroken, NobodyServes, type Subscription } from '../port.ts';
import { answerWith, createWaiting, type FromBus, type ToBus, UNSERVED } from './messages.ts';

/** Lets the thread at the other end of the port take part in a bus of this one. What it serves and hears ends with the port. */
export function offerBus(bus: Bus, port: MessagePort): void {
  const servings = new Map<string, Subscription>();
  const subscriptions = new Map<string, Subscription>();
  const calls = createWaiting();
  const tell = (message: FromBus): void => port.postMessage(message);

  async function ask(subject: string, request: unknown): Promise<unknown> {
    const { outcome } = calls.expect((id) => tell({ kind: 'call', id, subject, request }));
    const answer = await outcome;
    if (answer.done) return answer.result;
    if (answer.failure === UNSERVED) throw new NobodyServes(`nobody serves ${subject} any more`);
    throw new CallBroken(`${subject} failed in its thread: ${answer.text}`);
  }

  function hear(said: ToBus): void {
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
          bus.subscribe(said.topic, (message) => tell({ kind: 'word', topic: said.topic, message })),
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

  port.on('message', hear);
  port.on('close', () => {
    for (const each of [...servings.values(), ...subscriptions.values()]) each.stop();
    calls.failAll(new BusUnreachable('the thread that was called is gone'));
  });
}

function stop(among: Map<string, Subscription>, name: string): void {
  among.get(name)?.stop();
  among.delete(name);
}
