import { operations } from '@parley/contract';
import Type from 'typebox';
import type { ChannelContent, World } from '../../world/index.ts';
import { Refusal } from '../errors.ts';
import { download, type MediaFetcher } from '../files.ts';
import { type ControlRoute, phoneRoute, reader } from '../route.ts';
import { mediaContent, takeInlineFile } from '../sends.ts';
import { channelView, groupView } from '../views.ts';

const { createGroup, createNewsletter, postToNewsletter } = operations;

const { name, description, picture_url } = createNewsletter.body.properties;
/** A phone has no uploaded files. */
const newChannel = Type.Object({ name, description, picture_url }, { additionalProperties: false });

/** Groups and channels of virtual phones, with the bodies of `/v1`. */
export function groupAndChannelRoutes(world: World, fetcher: MediaFetcher): ControlRoute[] {
  const readPostFields = reader(postToNewsletter.body);

  const readPost = async (body: unknown): Promise<ChannelContent> => {
    const { fields, inline } = takeInlineFile(body);
    const post = readPostFields(fields);
    const complaint = postToNewsletter.bodyRule(post);
    if (complaint) throw new Refusal(400, complaint.text);
    const { text, media_type, media_url, caption } = post;
    if (media_type === undefined || media_url === undefined) return { type: 'text', text: text ?? '' };
    const { bytes, mimetype } = inline ?? (await download(fetcher, 'media_url', media_url));
    const media = world.media.put(bytes, mimetype);
    return mediaContent(
      { media_type, ...(caption !== undefined && { caption }) },
      media,
      inline ? '' : media_url,
    );
  };

  return [
    phoneRoute(world, 'POST', { path: '/groups', status: 201, body: createGroup.body }, ({ phone, body }) => {
      const { group } = world.groups.create({ phone: phone.phone, device: 0 }, body);
      return groupView(group);
    }),
    phoneRoute(
      world,
      'POST',
      { path: '/channels', status: 201, body: newChannel },
      async ({ phone, body: { name, description = '', picture_url } }) => {
        const picture =
          picture_url === undefined ? undefined : await download(fetcher, 'picture_url', picture_url);
        const channel = world.channels.create(
          { phone: phone.phone, device: 0 },
          { name, description, ...(picture && { picture: picture.bytes }) },
        );
        return channelView(channel);
      },
    ),
    phoneRoute(
      world,
      'POST',
      { path: '/channels/:jid/messages', status: 201, carriesFiles: true, body: Type.Unknown() },
      async ({ phone, params, body }) => {
        const content = await readPost(body);
        const { id, serverId } = world.channels.send({ phone: phone.phone, device: 0 }, params.jid ?? '', {
          id: world.messages.newId(),
          content,
        });
        return { message_id: id, server_id: serverId };
      },
    ),
  ];
}
