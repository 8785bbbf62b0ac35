import { create, insertAfter, insertBefore, insertBeforeFirst, type Recipe, replace } from './recipe.ts';

export const event: Recipe = {
  name: 'event',
  heading: 'An event',
  subject: 'events: publish new pictures of groups',
  mostFiles: 7,
  edits: [
    {
      file: 'packages/contract/src/events/group_picture.ts',
      note: 'its record: fields, URL, extension, texts, example',
      changes: [
        create(`import Type from 'typebox';
import { kept } from '../schema.ts';
import { ChatAddress, EventTime, SessionJid } from './fields.ts';
import { eventKind } from './kind.ts';

export const groupPictureEvent = eventKind({
  kind: 'group_picture',
  category: 'events',
  chat: 'chat_jid',
  extension: 'groups',
  guide: 'a group has a new picture',
  label: 'Group picture',
  title: 'GroupPictureEvent',
  description: 'A group has another picture. Needs \`groups\` in \`extensions\`.',
  properties: {
    session_id: SessionJid,
    chat_jid: ChatAddress,
    picture_id: Type.Optional(Type.String({ ...kept, description: 'Absent when it was removed.' })),
    timestamp_unix: EventTime,
  },
  example: {
    session_id: '15550001001:1@s.whatsapp.net',
    chat_jid: '120363041234567890@g.us',
    picture_id: '1784365200',
    timestamp_unix: 1_784_365_200,
  },
});
`),
      ],
    },
    {
      file: 'packages/contract/src/events/schemas.ts',
      note: 'the list of kinds',
      changes: [
        insertBefore(
          "import { healthEvent } from './health.ts';\n",
          "import { groupPictureEvent } from './group_picture.ts';\n",
        ),
        insertBefore('  chat: chatEvent,\n', '  group_picture: groupPictureEvent,\n'),
      ],
    },
    {
      file: 'packages/gateway/src/network/events.ts',
      note: 'what a driver reports',
      changes: [
        insertAfter('  | GroupEvent\n', '  | GroupPictureEvent\n'),
        insertBefore(
          'export interface GroupPerson {\n',
          `export interface GroupPictureEvent extends Happening {
  readonly kind: 'group_picture';
  readonly group: Jid;
  /** Absent when it was removed. */
  readonly pictureId?: string;
}

`,
        ),
      ],
    },
    {
      file: 'packages/gateway/src/network/whatsapp/convert/notifications.ts',
      note: 'what the network calls it',
      changes: [
        replace('GroupPerson, NetworkEvent }', 'GroupPerson, GroupPictureEvent, NetworkEvent }'),
        insertAfter('    ...readGroupChanges(node, me),\n', '    ...readGroupPicture(node),\n'),
        (text = '') => `${text}
function readGroupPicture({ attrs, content }: BinaryNode): readonly GroupPictureEvent[] {
  const group = accountOf(attrs.from);
  if (attrs.type !== 'picture' || !isGroup(group) || !attrs.id) return [];
  const timestamp = boundedSeconds(attrs.t);
  const set = Array.isArray(content) ? content.find(({ tag }) => tag === 'set') : undefined;
  return [
    {
      kind: 'group_picture',
      id: ['group_picture', group, timestamp, boundedId(attrs.id)].join('/'),
      timestamp,
      group,
      ...(set?.attrs.id ? { pictureId: boundedId(set.attrs.id) } : {}),
    },
  ];
}
`,
      ],
    },
    {
      file: 'packages/gateway/src/network/testing/fake/inbound.ts',
      note: 'the same of the fake',
      changes: [
        replace(
          '      if (isGroupJid(news.jid) || news.by.phone === listener.phone) return undefined;\n',
          `      if (news.by.phone === listener.phone) return undefined;
      if (isGroupJid(news.jid)) {
        const id = idOf('group_picture', item.id);
        const picture = present({ pictureId: news.pictureId });
        return { kind: 'group_picture', id, timestamp: seconds(news.at), group: news.jid, ...picture };
      }
`,
        ),
      ],
    },
    {
      file: 'packages/gateway/src/network/testing/conformance/changes.ts',
      note: 'that every driver reports it',
      changes: [
        insertBeforeFirst(
          '    it(',
          `    it('reports new pictures of groups', async () => {
      const group = newGroup();
      await changes(group, 1);
      const pictureId = stage.world.photos.set(ada.actor, group, TINY_PNG);
      stage.world.photos.set(ada.actor, group, undefined);
      await stage.eventually(() => expect(me.witness.of('group_picture')).toHaveLength(2));
      const reported = me.witness.of('group_picture');
      expect(reported.map((event) => [event.group, event.pictureId])).toEqual([
        [group, pictureId],
        [group, undefined],
      ]);
    });

`,
        ),
      ],
    },
    {
      file: 'packages/gateway/src/inbound/public-changes.ts',
      note: 'the event that it becomes',
      changes: [
        insertAfter('  group: groupEvent,\n', '  group_picture: groupPictureEvent,\n'),
        insertAfter('  GroupPerson,\n', '  GroupPictureEvent,\n'),
        insertBefore(
          'function contactEvent(',
          `function groupPictureEvent(
  sessionId: string,
  { group, pictureId, timestamp }: GroupPictureEvent,
): EventOf<'group_picture'> {
  return {
    kind: 'group_picture',
    session_id: sessionId,
    chat_jid: group,
    ...(pictureId !== undefined && { picture_id: pictureId }),
    timestamp_unix: timestamp,
  };
}

`,
        ),
      ],
    },
  ],
  tests: [
    'packages/contract/src/events',
    'packages/contract/src/openapi',
    'packages/gateway/src/network/testing/fake/conformance.test.ts',
    'packages/gateway/src/inbound/sink.test.ts',
    'packages/portal/src/texts',
    'tools/docs',
  ],
};
