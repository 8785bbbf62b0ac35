import Type from 'typebox';
import { kept } from '../schema.ts';
import { EventTime, SessionJid } from './fields.ts';
import { eventKind } from './kind.ts';

export const deviceLinkedEvent = eventKind({
  kind: 'device_linked',
  category: 'connection',
  chat: null,
  extension: 'health',
  guide: 'a device that the gateway did not link was linked to the number',
  label: 'Device linked',
  title: 'DeviceLinkedEvent',
  description:
    'A device that the gateway did not link was linked to the number: it reads and writes every message. Once for each device. For webhooks with `extensions: ["health"]`.',
  properties: {
    session_id: SessionJid,
    devices: Type.Integer({
      ...kept,
      description: 'Devices that the number has now, its phone and this gateway included.',
      examples: [3],
    }),
    added: Type.Array(
      Type.Object(
        {
          device: Type.Integer({ ...kept, description: 'Its number within the account.', examples: [7] }),
        },
        { title: 'AddedDevice' },
      ),
    ),
    timestamp_unix: EventTime,
  },
  example: {
    session_id: '15550001001:1@s.whatsapp.net',
    devices: 3,
    added: [{ device: 7 }],
    timestamp_unix: 1_784_365_200,
  },
});
