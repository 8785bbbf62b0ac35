import type { PhoneNumber } from './types.ts';
import type { World } from './world.ts';

/** For tests only: the size of an account that a device links to. */
export interface LargeAccount {
  readonly contacts: number;
  readonly groups: number;
  /** Bytes of text in its chats, all of it part of the history for a new device. */
  readonly historyBytes: number;
}

const LONGEST_TEXT = 64_000;
const MESSAGES_OF_A_CHAT = 20;
const firstContact = 15_600_000_000;

/** Enlarges an account before a device links to it. The texts are random, so that compression hardly shrinks them. */
export function enlarge(
  world: World,
  phone: PhoneNumber,
  { contacts, groups, historyBytes }: LargeAccount,
): void {
  const me = { phone, device: 0 };
  const contact = (place: number): PhoneNumber => String(firstContact + place);
  const [first, second] = [contact(0), contact(1)];
  world.transaction(() => {
    for (let place = 0; place < contacts; place += 1) {
      const name = `Contact ${place}`;
      world.phones.create(contact(place), { name });
      world.contacts.save(me, { phone: contact(place), firstName: name, fullName: `${name} of many` });
    }
    for (let place = 0; place < groups; place += 1) {
      world.groups.create(me, { name: `Group ${place}`, participants: [first, second] });
    }
    let left = historyBytes;
    for (let place = 0; left > 0; place += 1) {
      const text = noise(Math.min(left, LONGEST_TEXT), place);
      const sender = { phone: contact(Math.floor(place / MESSAGES_OF_A_CHAT)), device: 0 };
      world.messages.send(sender, { id: `PAST-${place}`, to: phone, content: { type: 'text', text } });
      left -= text.length;
    }
  });
}

/** The same text for the same seed. */
function noise(length: number, seed: number): string {
  const bytes = Buffer.alloc(Math.ceil(length * 0.75) + 4);
  let state = seed + 1;
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes.writeUInt32LE(state, at);
  }
  return bytes.toString('base64').slice(0, length);
}
