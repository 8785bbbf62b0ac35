import { randomBytes } from 'node:crypto';
import { startSandbox } from '../index.ts';
import { ada, ben, createSteppedClock, handset, text } from '../world/fixture.ts';

/** For tests only: a network in a process of its own, which can be killed. Takes commands from its parent. */

export type Order =
  | { readonly kind: 'scan'; readonly qr: string }
  | { readonly kind: 'send'; readonly id: string; readonly words: string }
  | { readonly kind: 'waiting'; readonly sessionId: string }
  | { readonly kind: 'seen'; readonly id: string };

export interface Ready {
  readonly url: string;
  readonly rootPublicKey: string;
  readonly mediaCaPem: string;
  readonly mediaHost: string;
}

const [file = ':memory:'] = process.argv.slice(2);
const { world, pairing, ...wire } = await startSandbox({
  file,
  clock: createSteppedClock(),
  random: { bytes: (length) => randomBytes(length) },
});
for (const [phone, name] of [
  [ada, 'Ada'],
  [ben, 'Ben'],
] as const) {
  if (!world.phones.find(phone)) world.phones.create(phone, { name });
}

async function carryOut(order: Order): Promise<unknown> {
  switch (order.kind) {
    case 'scan':
      return (await pairing.scan(ada, order.qr)).sessionId;
    case 'send':
      return world.messages.send(handset(ben), { id: order.id, to: ada, content: text(order.words) });
    case 'waiting':
      return world.mailboxes.waiting(order.sessionId);
    case 'seen':
      return world.messages.find(ben, order.id)?.content;
  }
}

process.on('message', (order: Order) => {
  void carryOut(order).then((answer) => process.send?.({ answer }));
});
process.send?.({
  url: wire.url,
  rootPublicKey: Buffer.from(wire.rootPublicKey).toString('hex'),
  mediaCaPem: wire.mediaCaPem,
  mediaHost: wire.mediaHost,
} satisfies Ready);
