import type { PhoneNumber } from './types.ts';
import type { World } from './world.ts';

export const demoPhone: PhoneNumber = '15550001001';

const demoPeople = [
  { phone: demoPhone, firstName: 'Demo', fullName: 'Demo Number' },
  { phone: '15550002001', firstName: 'Ada', fullName: 'Ada Lovelace' },
  { phone: '15550002002', firstName: 'Ben', fullName: 'Ben Franklin' },
];

/** Three people with each other in their address books. Idempotent. */
export function seedDemo(world: World): void {
  world.transaction(() => {
    for (const { phone, firstName } of demoPeople) {
      if (!world.phones.find(phone)) world.phones.create(phone, { name: firstName });
    }
    for (const owner of demoPeople) {
      const known = new Set(world.contacts.list(owner.phone).map((contact) => contact.phone));
      for (const person of demoPeople) {
        if (person === owner || known.has(person.phone)) continue;
        world.contacts.save({ phone: owner.phone, device: 0 }, person);
      }
    }
  });
}
