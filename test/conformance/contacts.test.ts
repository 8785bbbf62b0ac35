import type { Blocklist, Contact, ProfilePicture, UserInfo } from '@parley/contract';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { noisyPng } from '../../packages/sandbox/src/wire/fixture-picture.ts';
import { PICTURE } from './file-server.ts';
import { type LinkedNumber, linkedNumber, newPhoneNumber, someone, WATCHING } from './numbers.ts';
import { sharedGateway } from './shared-gateway.ts';

const gateway = sharedGateway();
let me: LinkedNumber;

beforeAll(async () => {
  me = await linkedNumber(gateway);
});

const of = (jid: string, path = ''): string => `/contacts/${encodeURIComponent(jid)}${path}`;
const setPhoto = ({ phone }: { phone: string }, picture: Uint8Array = PICTURE) =>
  gateway.sandbox<{ picture_id: string }>('PUT', `/phones/${phone}/photo`, {
    image_base64: Buffer.from(picture).toString('base64'),
  });

describe('contacts', () => {
  test('are listed with all their names', async () => {
    const shop = await someone(gateway, { name: 'Shop', business_name: 'The Shop' });
    const names = { first_name: 'Sho', full_name: 'Sho Pkeeper' };
    await gateway.sandbox('POST', `/phones/${me.phone}/contacts`, { phone: shop.phone, ...names });
    await vi.waitFor(async () => {
      const { status, body } = await me.on<{ contacts: Contact[] }>('GET', '/contacts');
      expect(status).toBe(200);
      const contact = body.contacts.find(({ jid }) => jid === shop.jid);
      expect(contact).toMatchObject({ jid: shop.jid, ...names } satisfies Partial<Contact>);
    }, WATCHING);
  });

  test('have an About text, a picture, a verified name and devices', async () => {
    const shop = await linkedNumber(gateway, {
      name: 'Shop',
      about: 'Open till six',
      business_name: 'The Shop',
    });
    const { picture_id } = await setPhoto(shop);
    const device = Number(/:(\d+)@/.exec(shop.sessionId)?.[1]);
    expect(await me.on<UserInfo>('GET', of(shop.jid))).toMatchObject({
      status: 200,
      body: {
        status: 'Open till six',
        picture_id,
        verified_name: 'The Shop',
        devices: [
          { jid: shop.jid, device: 0 },
          { jid: shop.jid, device },
        ],
      },
    });
  });

  test('have two addresses, each of which resolves to the other', async () => {
    const ada = await someone(gateway, { name: 'Ada' });
    const both = { status: 200, body: { jid: ada.jid, lid: ada.lid } };
    expect(await me.on('GET', `/identities?phone=${ada.phone}`)).toMatchObject(both);
    expect(await me.on('GET', `/identities?lid=${encodeURIComponent(ada.lid)}`)).toMatchObject(both);
    expect(await me.on('GET', `/identities?phone=${newPhoneNumber()}`)).toMatchObject({ status: 404 });
    for (const query of ['', `?phone=${ada.phone}&lid=${encodeURIComponent(ada.lid)}`])
      expect(await me.on('GET', `/identities${query}`)).toMatchObject({
        status: 400,
        body: { error: 'give exactly one of phone, lid and username' },
      });
  });

  test('may have a username, which resolves to both addresses, or needs a key', async () => {
    const name = `ada_${newPhoneNumber()}`;
    const ada = await someone(gateway, { username: name });
    const shy = await someone(gateway, { username: `shy_${name}`, username_key: '1234', hides_phone: true });
    const known = { status: 200, body: { jid: ada.jid, lid: ada.lid, username: name } };
    expect(await me.on('GET', `/identities?username=${name}`)).toMatchObject(known);
    expect(await me.on('GET', `/identities?username=%40${name}`)).toMatchObject(known);
    const guarded = `/identities?username=shy_${name}`;
    const found = await me.on('GET', `${guarded}&key=1234`);
    expect(found).toMatchObject({ status: 200, body: { lid: shy.lid, username: `shy_${name}` } });
    expect(found.body).not.toHaveProperty('jid');
    expect(await me.on('GET', guarded)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('is guarded by a key') },
    });
    expect(await me.on('GET', `${guarded}&key=4321`)).toMatchObject({
      status: 400,
      body: { error: 'the key of this username is another one' },
    });
    expect(await me.on('GET', `/identities?username=free_${name}`)).toMatchObject({
      status: 404,
      body: { error: 'no account has this username' },
    });
    const numbers = [`@${name}`, ada.phone, `@shy_${name}`, `@free_${name}`];
    expect(await me.on('POST', '/validate', { numbers })).toMatchObject({
      status: 200,
      body: {
        results: [
          { query: `@${name}`, on_messenger: true, jid: ada.jid },
          { query: `+${ada.phone}`, on_messenger: true },
          { on_messenger: true, key_required: true },
          { on_messenger: false },
        ],
      },
    });
  });

  test('without picture and business have neither', async () => {
    const ada = await someone(gateway, { about: 'Busy' });
    const { body } = await me.on<UserInfo>('GET', of(ada.jid));
    expect(body).toEqual({ status: 'Busy', picture_id: '', devices: [{ jid: ada.jid, device: 0 }] });
  });

  test('that are not on the network are 404', async () => {
    const answer = await me.on('GET', of(`${newPhoneNumber()}@s.whatsapp.net`));
    expect(answer).toMatchObject({ status: 404, body: { error: 'contact not found' } });
  });

  test.each(['nonsense', '120363000000000000@g.us', '15550002001:3@s.whatsapp.net'])(
    '%s is 400',
    async (id) => {
      expect((await me.on('GET', of(id))).status).toBe(400);
    },
  );
});

describe('photos', () => {
  test('have an address, in both sizes', async () => {
    const ada = await someone(gateway);
    const { picture_id: id } = await setPhoto(ada);
    for (const [query, type] of [
      ['', 'image'],
      ['?preview=true', 'preview'],
      ['?preview=false', 'image'],
    ]) {
      const { status, body } = await me.on<ProfilePicture>('GET', of(ada.jid, `/photo${query}`));
      expect(status).toBe(200);
      expect(body.picture).toMatchObject({ has_picture: true, id, type });
      expect(URL.canParse(body.picture.url)).toBe(true);
    }
  });

  test('can be downloaded without a key, and the preview is smaller', async () => {
    const [ada, photo] = [await someone(gateway), noisyPng(640)];
    await setPhoto(ada, photo);
    const download = async (query: string) => {
      const { body } = await me.on<ProfilePicture>('GET', of(ada.jid, `/photo${query}`));
      const answer = await fetch(body.picture.url);
      expect(answer.status).toBe(200);
      return Buffer.from(await answer.arrayBuffer());
    };
    expect((await download('')).equals(photo)).toBe(true);
    expect((await download('?preview=true')).length).toBeLessThan(photo.length / 10);
  });

  test('that were never set are 404, hidden ones 403', async () => {
    const [without, shy] = [await someone(gateway), await someone(gateway, { hides_photo: true })];
    await setPhoto(shy);
    expect(await me.on('GET', of(without.jid, '/photo'))).toMatchObject({
      status: 404,
      body: { error: 'no profile photo was ever set' },
    });
    expect(await me.on('GET', of(shy.jid, '/photo'))).toMatchObject({
      status: 403,
      body: { error: 'profile photo is hidden from this session' },
    });
  });

  test('of an address with a device suffix are 400', async () => {
    const answer = await me.on('GET', of('15550002001:3@s.whatsapp.net', '/photo'));
    expect(answer).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('without device suffix') },
    });
  });
});

describe('the own profile', () => {
  test('shows the new About text', async () => {
    const status = 'Back on Monday';
    expect(await me.on('POST', '/profile/status', { status })).toMatchObject({
      status: 200,
      body: { status },
    });
    expect(await gateway.sandbox('GET', `/phones/${me.phone}`)).toMatchObject({ about: status });
  });

  test.each([{ status: 'x'.repeat(140) }, {}, { about: 'x' }])('%o is 400', async (body) => {
    expect((await me.on('POST', '/profile/status', body)).status).toBe(400);
  });
});

describe('the blocklist', () => {
  test('grows, shrinks, and is returned by each change', async () => {
    const [ada, ben] = [await someone(gateway), await someone(gateway)];
    const change = async (jid: string, action: string) =>
      (await me.on<Blocklist>('POST', '/blocklist', { jid, action })).body.blocklist;
    expect(await change(ada.jid, 'block')).toEqual([ada.jid]);
    expect((await change(ben.jid, 'block')).toSorted()).toEqual([ada.jid, ben.jid].toSorted());
    expect(await change(ada.jid, 'unblock')).toEqual([ben.jid]);
    expect(await me.on('GET', '/blocklist')).toMatchObject({ status: 200, body: { blocklist: [ben.jid] } });
    expect(await gateway.sandbox('GET', `/phones/${me.phone}`)).toMatchObject({ blocklist: [ben.jid] });
  });

  test('is not available to accounts in lid mode, whatever the address', async () => {
    const [hidden, ada] = [await linkedNumber(gateway, { lid_mode: true }), await someone(gateway)];
    const error = 'blocklist is not available for accounts in lid addressing mode';
    const answers = [
      await hidden.on('GET', '/blocklist'),
      await hidden.on('POST', '/blocklist', { jid: ada.jid, action: 'block' }),
      await hidden.on('POST', '/blocklist', { jid: ada.lid, action: 'unblock' }),
    ];
    for (const answer of answers) expect(answer).toMatchObject({ status: 400, body: { error } });
  });

  test('refuses a number that is not on the network', async () => {
    const jid = `${newPhoneNumber()}@s.whatsapp.net`;
    expect(await me.on('POST', '/blocklist', { jid, action: 'block' })).toMatchObject({
      status: 404,
      body: { error: 'contact not found' },
    });
  });

  test.each([
    { jid: 'nonsense', action: 'block' },
    { jid: '15550002001@s.whatsapp.net', action: 'mute' },
    { jid: '15550002001@s.whatsapp.net' },
  ])('%o is 400', async (body) => {
    expect((await me.on('POST', '/blocklist', body)).status).toBe(400);
  });
});

describe('validation', () => {
  test('answers for each number in order: in either form, repeated, unknown, or invalid', async () => {
    const [ada, shop] = [await someone(gateway), await someone(gateway, { business_name: 'The Shop' })];
    const unregistered = newPhoneNumber();
    const numbers = [`+${shop.phone}`, unregistered, ada.phone, shop.phone, 'nonsense'];
    const found = { query: `+${shop.phone}`, on_messenger: true, jid: shop.jid, verified_name: 'The Shop' };
    expect(await me.on('POST', '/validate', { numbers })).toMatchObject({
      status: 200,
      body: {
        results: [
          found,
          { query: `+${unregistered}`, on_messenger: false },
          { query: `+${ada.phone}`, on_messenger: true, jid: ada.jid },
          found,
          { query: 'nonsense', on_messenger: false },
        ],
      },
    });
  });

  test('takes fifty numbers at most', async () => {
    const numbers = Array.from({ length: 50 }, newPhoneNumber);
    const { status, body } = await me.on<{ results: unknown[] }>('POST', '/validate', { numbers });
    expect([status, body.results.length]).toEqual([200, 50]);
    expect((await me.on('POST', '/validate', { numbers: [...numbers, newPhoneNumber()] })).status).toBe(400);
    expect((await me.on('POST', '/validate', { numbers: [] })).status).toBe(400);
  });
});
