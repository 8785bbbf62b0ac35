import Type from 'typebox';
import { NAME_MAX_LENGTH } from '../limits.ts';
import { severalLines } from '../schema.ts';
import { addressed, sendKind } from './kind.ts';

export const location = sendKind({
  kind: 'location',
  plan: 'pro',
  label: 'locations',
  guide: '',
  title: 'SendLocation',
  summary: 'Location',
  properties: {
    ...addressed,
    type: Type.Literal('location'),
    latitude: Type.Number({ minimum: -90, maximum: 90 }),
    longitude: Type.Number({ minimum: -180, maximum: 180 }),
    loc_name: Type.Optional(Type.String({ maxLength: NAME_MAX_LENGTH, ...severalLines })),
    loc_address: Type.Optional(Type.String({ maxLength: NAME_MAX_LENGTH, ...severalLines })),
  },
  example: {
    session_id: '15550001001:1@s.whatsapp.net',
    to: '15550002001',
    type: 'location',
    latitude: 53.5436,
    longitude: 9.9668,
    loc_name: 'Landing bridges',
    loc_address: 'Hamburg',
  },
});
