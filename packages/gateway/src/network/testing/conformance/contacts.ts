import { beforeAll, describe, expect, it } from 'vitest';
import type { ContactOperations } from '../../operations.ts';
import { defined, failureOf } from './expectations.ts';
import type { CreateHarness } from './harness.ts';
import { TINY_PNG } from './pictures.ts';
import { type OpenNumber, useStage } from './stage.ts';

const UNREGISTERED = '15559999999';

export function describeContacts(createHarness: CreateHarness): void {
  describe('contacts', () => {
    const stage = useStage(createHarness);
    let me: OpenNumber;
    let contacts: ContactOperations;

    beforeAll(async () => {
      me = await stage.online();
      contacts = me.session.contacts;
    });

    const listed = async (jid: string) =>
      defined(
        (await contacts.list()).find((contact) => contact.jid === jid),
        'contact',
      );

    it('lists the contacts from before the number was linked', async () => {
      const [owner, friend] = [stage.someone('Owner'), stage.someone('Friend')];
      const names = { firstName: 'Mary Ann', fullName: 'Dr. Mary Ann Friend' };
      stage.world.contacts.save(owner.actor, { phone: friend.phone, ...names });

      const { session } = await stage.online(owner);

      await stage.eventually(async () =>
        expect(await session.contacts.list()).toContainEqual(
          expect.objectContaining({ jid: friend.jid, ...names }),
        ),
      );
    });

    it('lists a contact that the phone saves or removes later', async () => {
      const ada = stage.someone('Ada', { businessName: 'Ada & Sons' });
      stage.world.contacts.save(me.actor, { phone: ada.phone, firstName: 'Addie', fullName: 'Ada L' });
      await stage.eventually(async () =>
        expect(await listed(ada.jid)).toMatchObject({ firstName: 'Addie', fullName: 'Ada L' }),
      );

      stage.world.contacts.remove(me.actor, ada.phone);
      await stage.eventually(async () =>
        expect(await contacts.list()).not.toContainEqual(
          expect.objectContaining({ jid: ada.jid, fullName: 'Ada L' }),
        ),
      );
    });

    it('lists contacts without a connection', async () => {
      const [owner, friend] = [stage.someone('Owner'), stage.someone('Friend')];
      stage.world.contacts.save(owner.actor, { phone: friend.phone, firstName: 'F', fullName: 'F' });
      const { session, sessionId } = await stage.online(owner);
      const known = () => session.contacts.list().then((list) => list.map(({ jid }) => jid));
      await stage.eventually(async () => expect(await known()).toContain(friend.jid));

      stage.world.faults.arm(sessionId, { kind: 'disconnect', count: 1, ms: 300_000 });
      await stage.eventually(() => expect(session.state.kind).not.toBe('connected'));

      expect(await known()).toContain(friend.jid);
    });

    it('returns About, picture, business name and devices of a person', async () => {
      const shop = stage.someone('Shop', { about: 'Open till six', businessName: 'The Shop' });
      const pictureId = stage.world.photos.set(shop.actor, shop.jid, TINY_PNG);
      const { device } = await stage.link(shop).then(() => defined(stage.world.devices.of(shop.phone)[0]));

      expect(await contacts.info(shop.jid)).toEqual({
        about: 'Open till six',
        pictureId,
        verifiedName: 'The Shop',
        devices: [
          { jid: shop.jid, device: 0 },
          { jid: shop.jid, device },
        ],
      });
    });

    it('describes a person without a picture and without a business', async () => {
      const ada = stage.someone('Ada', { about: 'Busy' });
      const info = await contacts.info(ada.jid);
      expect(info).toMatchObject({ about: 'Busy', pictureId: '', devices: [{ device: 0 }] });
      expect(info.verifiedName).toBeUndefined();
    });

    it('does not find a person who is not on the network', async () => {
      expect((await failureOf(contacts.info(`${UNREGISTERED}@s.whatsapp.net`))).kind).toBe('not_found');
    });

    it.each([
      ['full', 'image'],
      ['preview', 'preview'],
    ] as const)('returns the location of the %s photo', async (size, type) => {
      const ada = stage.someone();
      const id = stage.world.photos.set(ada.actor, ada.jid, TINY_PNG);
      const photo = await contacts.photo(ada.jid, size);
      expect(photo).toMatchObject({ id, type });
      expect(URL.canParse(photo.url)).toBe(true);
    });

    it('returns the photo of a group', async () => {
      const { group } = stage.world.groups.create(me.actor, { name: 'Lunch', participants: [] });
      const id = stage.world.photos.set(me.actor, group.jid, TINY_PNG);
      expect(await contacts.photo(group.jid, 'full')).toMatchObject({ id });
    });

    it('distinguishes a photo that was never set from a hidden one', async () => {
      const without = stage.someone('Without');
      const hidden = stage.someone('Hidden', { hidesPhoto: true });
      stage.world.photos.set(hidden.actor, hidden.jid, TINY_PNG);

      expect((await failureOf(contacts.photo(without.jid, 'full'))).kind).toBe('not_found');
      expect((await failureOf(contacts.photo(hidden.jid, 'full'))).kind).toBe('refused');
    });

    it('sets the own About text', async () => {
      await contacts.setAbout('Answers within a day');
      expect(stage.world.phones.get(me.phone).about).toBe('Answers within a day');
    });

    it('blocks and unblocks, and returns the list each time', async () => {
      const [ada, ben] = [stage.someone('Ada'), stage.someone('Ben')];
      const blockedInWorld = () => stage.world.blocklists.of(me.phone).map(({ phone }) => phone);

      expect(await contacts.changeBlocklist(ada.jid, 'block')).toHaveLength(1);
      expect(await contacts.changeBlocklist(ben.jid, 'block')).toHaveLength(2);
      expect(blockedInWorld().toSorted()).toEqual([ada.phone, ben.phone].toSorted());

      const rest = await contacts.changeBlocklist(ada.jid, 'unblock');

      expect(blockedInWorld()).toEqual([ben.phone]);
      expect(rest).toHaveLength(1);
      expect([ben.jid, ben.lid]).toContain(rest[0]);
      expect(await contacts.blocklist()).toEqual(rest);
    });

    it('cannot change the blocklist of an account in LID mode, whatever the address', async () => {
      const { session } = await stage.online(stage.someone('Hidden', { lidMode: true }));
      const ada = stage.someone();
      for (const address of [ada.jid, ada.lid]) {
        const failure = await failureOf(session.contacts.changeBlocklist(address, 'block'));
        expect(failure.kind).toBe('malformed');
      }
    });

    it('looks numbers up: one result for each, in order, repeated ones too', async () => {
      const ada = stage.someone('Ada');
      const shop = stage.someone('Shop', { businessName: 'The Shop' });

      const results = await contacts.lookUp([shop.phone, UNREGISTERED, ada.phone, shop.phone]);

      expect(results.map(({ number }) => number)).toEqual([shop.phone, UNREGISTERED, ada.phone, shop.phone]);
      expect(results.map(({ jid }) => jid)).toEqual([shop.jid, undefined, ada.jid, shop.jid]);
      expect(results.map(({ verifiedName }) => verifiedName)).toEqual([
        'The Shop',
        undefined,
        undefined,
        'The Shop',
      ]);
    });

    it('returns both addresses of a person by either of them, and none for an unused one', async () => {
      const ada = stage.someone();
      const known = { jid: ada.jid, lid: ada.lid };
      expect(await me.session.contacts.identify(ada.jid)).toEqual(known);
      expect(await me.session.contacts.identify(ada.lid)).toEqual(known);
      for (const stranger of ['15559999999@s.whatsapp.net', '1@lid'])
        expect((await failureOf(me.session.contacts.identify(stranger))).kind).toBe('not_found');
    });

    it('finds the owner of a username, by both addresses where the network gives them', async () => {
      const ada = stage.someone('Ada', { username: 'ada.byron' });
      const hidden = stage.someone('Hidden', { username: 'hidden_one', hidesPhone: true });
      const [open, closed] = await Promise.all([
        contacts.findByUsername('Ada.Byron'),
        contacts.findByUsername('hidden_one'),
      ]);
      expect(open).toEqual({
        kind: 'found',
        chat: ada.jid,
        jid: ada.jid,
        lid: ada.lid,
        username: 'ada.byron',
      });
      expect(closed).toEqual({ kind: 'found', chat: hidden.lid, lid: hidden.lid, username: 'hidden_one' });
      expect(await contacts.identify(hidden.lid)).toEqual({ lid: hidden.lid, username: 'hidden_one' });
      const known = { jid: hidden.jid, lid: hidden.lid, username: 'hidden_one' };
      expect(await contacts.identify(hidden.jid)).toEqual(known);
    });

    it('finds a username that is guarded by a key with that key only, and no unused one', async () => {
      const ada = stage.someone('Ada', { username: 'guarded_ada', usernameKey: '1234' });
      expect(await contacts.findByUsername('guarded_ada')).toEqual({ kind: 'guarded', given: false });
      expect(await contacts.findByUsername('guarded_ada', '9999')).toEqual({ kind: 'guarded', given: true });
      const found = await contacts.findByUsername('guarded_ada', '1234');
      expect(found).toMatchObject({ kind: 'found', lid: ada.lid });
      expect((await failureOf(contacts.findByUsername('unused_name'))).kind).toBe('not_found');
    });

    it('names a chat by one address, whichever of the two is given', async () => {
      const ada = stage.someone();
      const hidden = stage.someone('Hidden', { hidesPhone: true });
      await contacts.identify(ada.jid);
      expect(await Promise.all([ada.jid, ada.lid].map(me.session.chatOf))).toEqual([ada.jid, ada.jid]);
      expect(await me.session.chatOf(hidden.lid)).toBe(hidden.lid);
    });

    it('looks up nothing', async () => {
      expect(await contacts.lookUp([])).toEqual([]);
    });
  });
}
