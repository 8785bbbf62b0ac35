import { Phone as PhoneNumber, Username, UsernameKey } from '@parley/contract';
import Type from 'typebox';
import { type PairingService, type Phone, PRIVACY_VALUES, userJid, type World } from '../../world/index.ts';
import { decodeBase64 } from '../files.ts';
import { phonesOf, recordCreator } from '../guests.ts';
import { type ControlRoute, closed, phoneRoute, route } from '../route.ts';
import { requireSession } from '../sessions.ts';
import { contactView, phoneDetail, phoneView, privacyView } from '../views.ts';
import { answerOrGuarded, RpId } from './passkeys.ts';

const words = Type.String({ minLength: 1, maxLength: 256 });

const NewPhone = closed({
  phone: PhoneNumber,
  name: words,
  about: Type.Optional(Type.String({ maxLength: 256 })),
  business_name: Type.Optional(words),
  auto_read: Type.Optional(Type.Boolean()),
  hides_photo: Type.Optional(Type.Boolean()),
  lid_mode: Type.Optional(Type.Boolean()),
  addressing: Type.Optional(Type.Union([Type.Literal('lid'), Type.Literal('pn'), Type.Literal('mixed')])),
  requires_passkey: Type.Optional(Type.Boolean()),
  passkey_rp_id: Type.Optional(RpId),
  refreshes_pairing: Type.Optional(Type.Boolean()),
  other_spelling: Type.Optional(PhoneNumber),
  edits: Type.Optional(Type.Enum(['encrypted', 'plain'], { type: 'string' })),
  username: Type.Optional(Username),
  username_key: Type.Optional(UsernameKey),
  hides_phone: Type.Optional(Type.Boolean()),
});

/** Replaces the whole identity: a field that is left out is removed. */
const Identity = closed({
  username: Type.Optional(Username),
  username_key: Type.Optional(UsernameKey),
  hides_phone: Type.Optional(Type.Boolean()),
});

const PrivacyChange = Type.Object(
  Object.fromEntries(
    Object.entries(PRIVACY_VALUES).map(([name, values]) => [
      name,
      Type.Optional(Type.Enum(Array.from<string>(values), { type: 'string' })),
    ]),
  ),
  { additionalProperties: false },
);

const handsetOf = ({ phone }: Phone) => ({ phone, device: 0 });

/** Phones, their linked devices, their settings and their contacts. */
export function phoneRoutes(world: World, pairing: PairingService): ControlRoute[] {
  return [
    route('GET', { path: '/phones', status: 200, forGuests: true }, ({ guest }) => ({
      phones: phonesOf(world, guest).map((phone) => phoneView(world, phone)),
    })),
    route('POST', { path: '/phones', status: 201, forGuests: true, body: NewPhone }, ({ guest, body }) =>
      world.transaction(() => {
        const phone = world.phones.create(body.phone, {
          name: body.name,
          about: body.about,
          businessName: body.business_name,
          autoRead: body.auto_read,
          hidesPhoto: body.hides_photo,
          lidMode: body.lid_mode,
          addressing: body.addressing,
          requiresPasskey: body.requires_passkey,
          passkeyRpId: body.passkey_rp_id,
          refreshesPairing: body.refreshes_pairing,
          otherSpelling: body.other_spelling,
          edits: body.edits,
          username: body.username,
          usernameKey: body.username_key,
          hidesPhone: body.hides_phone,
        });
        if (guest) recordCreator(world, phone.phone, guest.name);
        return phoneDetail(world, phone);
      }),
    ),
    phoneRoute(world, 'GET', { path: '', status: 200 }, ({ phone }) => phoneDetail(world, phone)),
    phoneRoute(
      world,
      'PUT',
      { path: '/identity', status: 204, body: Identity },
      ({ phone, body: { username, username_key: usernameKey, hides_phone: hidesPhone = false } }) => {
        world.phones.update(handsetOf(phone), { username, usernameKey, hidesPhone });
      },
    ),
    phoneRoute(
      world,
      'POST',
      { path: '/scan', status: 200, body: closed({ qr: Type.String({ minLength: 1, maxLength: 4_096 }) }) },
      ({ phone, body }) => answerOrGuarded((onGuarded) => pairing.scan(phone.phone, body.qr, onGuarded)),
    ),
    phoneRoute(
      world,
      'POST',
      { path: '/enter-code', status: 200, body: closed({ code: words }) },
      ({ phone, body }) =>
        answerOrGuarded((onGuarded) => pairing.enterCode(phone.phone, body.code, onGuarded)),
    ),
    phoneRoute(
      world,
      'POST',
      { path: '/unlink', status: 204, body: closed({ session_id: words }) },
      ({ phone, body }) => {
        world.devices.unlink(requireSession(world, body.session_id, { owner: phone }).sessionId);
      },
    ),
    phoneRoute(
      world,
      'POST',
      {
        path: '/contacts',
        status: 201,
        body: closed({ phone: PhoneNumber, first_name: words, full_name: words }),
      },
      ({ phone, body }) =>
        contactView(
          world.contacts.save(handsetOf(phone), {
            phone: body.phone,
            firstName: body.first_name,
            fullName: body.full_name,
          }),
        ),
    ),
    phoneRoute(world, 'PUT', { path: '/privacy', status: 200, body: PrivacyChange }, ({ phone, body }) =>
      world.transaction(() => {
        for (const [name, value] of Object.entries(body)) {
          world.privacy.set(handsetOf(phone), name, String(value));
        }
        return privacyView(world, phone.phone);
      }),
    ),
    phoneRoute(
      world,
      'PUT',
      { path: '/about', status: 204, body: closed({ about: Type.String({ maxLength: 256 }) }) },
      ({ phone, body }) => {
        world.phones.update(handsetOf(phone), { about: body.about });
      },
    ),
    phoneRoute(
      world,
      'PUT',
      { path: '/photo', status: 200, carriesFiles: true, body: closed({ image_base64: Type.String() }) },
      ({ phone, body }) => {
        const bytes = body.image_base64 === '' ? undefined : decodeBase64('image_base64', body.image_base64);
        return { picture_id: world.photos.set(handsetOf(phone), userJid(phone.phone), bytes) ?? '' };
      },
    ),
  ];
}
