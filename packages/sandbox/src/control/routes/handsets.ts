import { Phone as PhoneNumber } from '@parley/contract';
import Type from 'typebox';
import type { World } from '../../world/index.ts';
import { Refusal } from '../errors.ts';
import { type ControlRoute, closed, phoneRoute } from '../route.ts';
import { phoneDetail } from '../views.ts';

const MEGABYTE = 1_000_000;

/** What happens to a phone over the years: a new installation, a new number, another address, new keys. */
export function handsetRoutes(world: World): ControlRoute[] {
  const { handsets, phones } = world;
  return [
    phoneRoute(world, 'POST', { path: '/reinstall', status: 200 }, ({ phone: { phone } }) => {
      handsets.reinstall(phone);
      return phoneDetail(world, phones.get(phone));
    }),
    phoneRoute(
      world,
      'POST',
      { path: '/change-number', status: 200, body: closed({ phone: PhoneNumber }) },
      ({ phone: { phone }, body }) => phoneDetail(world, handsets.changeNumber(phone, body.phone)),
    ),
    phoneRoute(world, 'POST', { path: '/migrate', status: 200 }, ({ phone: { phone, addressing } }) => {
      if (addressing === 'lid') throw new Refusal(409, `${phone} is addressed by its LID already`);
      return phoneDetail(world, phones.update({ phone, device: 0 }, { addressing: 'lid' }));
    }),
    phoneRoute(
      world,
      'POST',
      { path: '/past', status: 204, body: closed({ megabytes: Type.Number({ minimum: 0, maximum: 200 }) }) },
      ({ phone: { phone }, body }) => handsets.lengthenPast(phone, Math.round(body.megabytes * MEGABYTE)),
    ),
    phoneRoute(world, 'POST', { path: '/rotate-prekey', status: 200 }, ({ phone: { phone } }) => {
      handsets.rotateSignedPreKey(phone);
      return { signed_pre_key_id: handsets.signedPreKeyId(phone) };
    }),
  ];
}
