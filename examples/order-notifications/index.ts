import { createParley, MessageFailedError, ParleyError } from 'parley-sdk';

/**
 * Notifies customers of their orders' status, each change once, however often the job runs. The Idempotency-Key is made from the
 * order and its state, so that a crashed job can simply run again.
 */
interface Order {
  readonly id: number;
  readonly phone: string;
  readonly state: 'packed' | 'shipped';
}

const parley = createParley({ url: process.env.PARLEY_URL, apiKey: process.env.PARLEY_API_KEY });
const orders: readonly Order[] = [
  { id: 1042, phone: '15550002001', state: 'packed' },
  { id: 1043, phone: '15550002002', state: 'shipped' },
];
const TEXTS: Record<Order['state'], string> = {
  packed: 'is packed and leaves tomorrow',
  shipped: 'is on its way',
};

const [session] = (await parley.sessions.list()).sessions;
if (!session) throw new Error('Link a number first.');

async function notify({ id, phone, state }: Order, sessionId: string): Promise<string> {
  const { message_id } = await parley.messages.send(
    { session_id: sessionId, to: phone, text: `Your order ${id} ${TEXTS[state]}.` },
    { idempotencyKey: `order-${id}-${state}` },
  );
  return message_id;
}

for (const order of orders) {
  try {
    const first = await notify(order, session.session_id);
    // Runs the same job again, as after a crash: the answer is the same and nothing is sent.
    const again = await notify(order, session.session_id);
    const { status } = await parley.messages.waitForStatus(first);
    console.log(`Order ${order.id}: ${status}, ${first === again ? 'once' : 'twice!'}`);
  } catch (error) {
    // A failed message must not stop the others. Every other error ends the job.
    if (error instanceof MessageFailedError) console.log(`Order ${order.id}: ${error.record.reason}`);
    else if (error instanceof ParleyError && error.code === 'quota_exhausted')
      throw new Error('The plan is used up.');
    else throw error;
  }
}
console.log('All customers are notified');
