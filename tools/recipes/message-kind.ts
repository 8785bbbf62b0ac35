import { create, insertAfter, insertBefore, type Recipe } from './recipe.ts';

export const messageKind: Recipe = {
  name: 'message-kind',
  heading: 'A kind of message',
  subject: 'messages: send an appointment',
  mostFiles: 8,
  edits: [
    {
      file: 'packages/contract/src/messages/appointment.ts',
      note: 'its record: fields, plan, texts, example',
      changes: [
        create(`import Type from 'typebox';
import { UnixSeconds } from '../primitives.ts';
import { MessageText } from './content.ts';
import { addressed, sendKind } from './kind.ts';

export const appointment = sendKind({
  kind: 'appointment',
  plan: 'max',
  label: 'appointments',
  guide: 'A date that people can put into their calendars.',
  title: 'SendAppointment',
  summary: 'Appointment',
  properties: {
    ...addressed,
    type: Type.Literal('appointment'),
    text: MessageText,
    starts_unix: Type.Integer({ ...UnixSeconds }),
  },
  example: {
    session_id: '15550001001:1@s.whatsapp.net',
    to: '15550002001',
    type: 'appointment',
    text: 'Reading',
    starts_unix: 1_784_365_200,
  },
});
`),
      ],
    },
    {
      file: 'packages/contract/src/messages/kinds.ts',
      note: 'the list of kinds',
      changes: [
        insertBefore(
          "import { contact } from './contact.ts';\n",
          "import { appointment } from './appointment.ts';\n",
        ),
        insertAfter('  interactive,\n', '  appointment,\n'),
      ],
    },
    {
      file: 'packages/gateway/src/network/content.ts',
      note: 'what a driver gets',
      changes: [
        insertBefore(
          "  | { readonly kind: 'contact';",
          "  | { readonly kind: 'appointment'; readonly name: string; readonly startsAt: number }\n",
        ),
      ],
    },
    {
      file: 'packages/gateway/src/messages/kinds/kinds.ts',
      note: 'what it is to the network, and in an event',
      changes: [
        insertBefore(
          '  interactive: {\n',
          `  appointment: {
    content: (send) => ({ kind: 'appointment', name: send.text, startsAt: send.starts_unix }),
    said: (send) => ({ type: 'other', text: send.text }),
  },

`,
        ),
      ],
    },
    {
      file: 'packages/gateway/src/network/whatsapp/convert/outbound.ts',
      note: 'its form on the network',
      changes: [
        insertBefore(
          "    case 'reaction':\n",
          `    case 'appointment': {
      const { name, startsAt } = content;
      return { content: { event: { name, startDate: new Date(startsAt * 1_000) } } };
    }
`,
        ),
      ],
    },
    {
      file: 'packages/sandbox/src/world/messages/content.ts',
      note: 'what a virtual phone has of it',
      changes: [
        insertBefore(
          "    | { type: 'group_invite';",
          "    | { type: 'appointment'; name: string; startsAt: number }\n",
        ),
        insertBefore("    case 'interactive':\n", "    case 'appointment':\n      return content.name;\n"),
      ],
    },
    {
      file: 'packages/sandbox/src/wire/content/locations-and-contacts.ts',
      note: 'how a phone writes and reads it',
      changes: [
        insertBefore(
          "const contact: ContentCodec<'contact'> = {\n",
          `const appointment: ContentCodec<'appointment'> = {
  write: ({ name, startsAt, ...marks }, context) => ({
    eventMessage: { name, startTime: startsAt, contextInfo: writeMarks(marks, context) },
  }),
  read({ eventMessage: event }, context) {
    if (!event) return undefined;
    const { name, startTime, contextInfo } = event;
    return {
      type: 'appointment',
      name: name ?? '',
      startsAt: Number(startTime ?? 0),
      ...readMarks(contextInfo, context),
    };
  },
};

`,
        ),
        insertAfter('export const locationsAndContacts = { ', 'appointment, '),
      ],
    },
    {
      file: 'packages/sandbox/src/control/contents.ts',
      note: 'how a phone is asked to send it, and shows it',
      changes: [
        insertBefore(
          "    case 'interactive':\n      return {\n        type",
          "    case 'appointment':\n      return { type: 'appointment', name: send.text, startsAt: send.starts_unix };\n",
        ),
        insertBefore(
          "    case 'group_invite':\n      return { group_invite",
          "    case 'appointment':\n      return { appointment: { name: content.name, starts_unix: content.startsAt } };\n",
        ),
      ],
    },
  ],
  tests: [
    'packages/contract/src/messages',
    'packages/gateway/src/messages/outbox/echo.test.ts',
    'packages/gateway/src/surfaces/reference/guides',
    'packages/portal/src/pages/test-send',
    'test/conformance/kinds.test.ts',
  ],
};
