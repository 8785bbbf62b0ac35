import { proto } from 'baileys';
import type { Channel, ChannelMessage, FollowedChannel } from '../../world/index.ts';
import { writeContent } from '../content/index.ts';
import { Refusal, refusalOf } from '../errors.ts';
import { fieldsOf, parseFields, textIn } from '../json-fields.ts';
import type { Pictures } from '../media/pictures.ts';
import type { Network, Session } from '../network.ts';
import { unixSeconds } from '../ports.ts';
import { child, type Node, node, textOf } from '../transport/nodes.ts';
import type { ContentContexts } from './content-contexts.ts';
import type { IqHandler, MexQuery } from './iq.ts';
import { standingQueries } from './standing.ts';

const LIVE_SECONDS = 300;
const DEFAULT_PAGE = 50;
const LARGEST_PAGE = 300;

/** Query ids that other contentCodecs of clients use. */
const OTHER_NUMBERS: Readonly<Record<string, string>> = {
  '6563316087068696': '27456920720571478',
  '8823471724422422': '25149874324715067',
  '6388546374527196': '25399611239711790',
  '9779843322044422': '27456920720571478',
  '7272540469429201': '27456920720571478',
  '9800646650009898': '9783111038412085',
  '25403502652570342': '9783111038412085',
  '27527996220149684': '25149874324715067',
  '8782612271820087': '9767147403369991',
  '5971669009605755': '29766401636284406',
  '6104029483058502': '9864994326891137',
  '6234210096708695': '25149874324715067',
  '9926858900719341': '24404358912487870',
  '6392786840836363': '9767147403369991',
  '6274038279359549': '29766401636284406',
  '6068417879924485': '9864994326891137',
};

/** `w:mex`: channels, the own About text and the own restrictions, by stored queries. Refusals are inside a result, as in GraphQL. */
export function createMexHandler({ world, clock }: Network, pictures: Pictures): IqHandler {
  const { channels, phones } = world;
  const channelData = (channel: Channel, followed: FollowedChannel | undefined) =>
    describeChannel(channel, followed, pictures);

  const known = (session: Session, channel: Channel) =>
    channelData(channel, channels.followed(session.device.phone, channel.jid));

  const queries: Readonly<Record<string, MexQuery>> = {
    '25149874324715067': {
      path: 'xwa2_newsletter_create',
      answer({ device }, { input, newsletter_input }) {
        const { name, description, picture } = fieldsOf(input ?? newsletter_input);
        const made = channels.create(device, {
          name: textIn(name),
          description: textIn(description),
          ...(picture ? { picture: Buffer.from(textIn(picture), 'base64') } : {}),
        });
        return channelData(made, made);
      },
    },
    '27456920720571478': {
      variables: [
        ...['fetch_creation_time', 'fetch_full_image', 'fetch_pinned_messages', 'fetch_status_metadata'],
        ...['fetch_viewer_metadata', 'fetch_wamo_sub', 'input'],
      ],
      path: 'xwa2_newsletter',
      answer: (session, { input }) => known(session, channels.get(textIn(fieldsOf(input).key))),
    },
    '25399611239711790': {
      variables: ['fetch_status_metadata', 'fetch_wamo_sub'],
      path: 'xwa2_newsletter_subscribed',
      answer: ({ device }) =>
        channels.followedBy(device.phone).map((channel) => withoutCount(channelData(channel, channel))),
    },
    '9783111038412085': {
      path: 'xwa2_newsletter_subscribers',
      answer: (_session, { newsletter_id, input }) => ({
        subscribers: channels.get(textIn(newsletter_id ?? fieldsOf(input).newsletter_id)).subscriberCount,
      }),
    },
    '24404358912487870': {
      path: 'xwa2_newsletter_join_v2',
      answer({ device }, { newsletter_id }) {
        const followed = channels.follow(device, textIn(newsletter_id));
        return channelData(followed, followed);
      },
    },
    '9767147403369991': {
      path: 'xwa2_newsletter_leave_v2',
      answer({ device }, { newsletter_id }) {
        channels.unfollow(device, textIn(newsletter_id));
        return { id: newsletter_id, state: { type: 'ACTIVE' } };
      },
    },
    '29766401636284406': { path: 'xwa2_newsletter_mute_v2', answer: muting(true) },
    '9864994326891137': { path: 'xwa2_newsletter_unmute_v2', answer: muting(false) },
    '31938993655691868': {
      variables: ['input'],
      path: 'xwa2_newsletter_update_user_setting',
      answer(session, { input }) {
        const { newsletter_id, type, value } = fieldsOf(input);
        if (type !== 'MUTE_FOLLOWER_ACTIVITY' && type !== 'MUTE_ADMIN_ACTIVITY')
          throw new Refusal(400, 'no such setting');
        if (value !== 'ON' && value !== 'OFF') throw new Refusal(400, 'no such value');
        return type === 'MUTE_FOLLOWER_ACTIVITY'
          ? { ...muting(value === 'ON')(session, { newsletter_id }), state: { type: 'ACTIVE' } }
          : { id: newsletter_id, state: { type: 'ACTIVE' } };
      },
    },
    '7130823597031706': {
      path: 'xwa2_newsletter_admin',
      answer: (_session, { newsletter_id }) => {
        channels.get(textIn(newsletter_id));
        return { admin_count: 1 };
      },
    },
    '9152604461510864': {
      path: 'xwa2_update_text_status',
      answer({ device }, { input }) {
        phones.update(device, { about: textIn(fieldsOf(input).text) });
        return { result: 'SUCCESS' };
      },
    },
    ...standingQueries(world, () => clock.now()),
  };

  function muting(muted: boolean) {
    return ({ device }: Session, { newsletter_id }: { newsletter_id?: unknown }) => {
      channels.mute(device, textIn(newsletter_id), muted);
      return { id: newsletter_id };
    };
  }

  return (session, request) => {
    const asked = child(request, 'query');
    const id = asked?.attrs.query_id ?? '';
    const query = queries[OTHER_NUMBERS[id] ?? id];
    if (!query) throw new Refusal(501, 'feature-not-implemented');
    const asking = parseFields(textOf(asked));
    if (!asking) throw new Refusal(400, 'bad-request');
    const variables = fieldsOf(asking.variables);
    const result = answerOf(() => {
      // a query by its newest number takes the variables of the newest client, and no others
      const names = queries[id]?.variables;
      if (names && Object.keys(variables).toSorted().join() !== names.toSorted().join())
        throw new Refusal(400, 'other variables');
      return { data: { [query.path]: query.answer(session, variables) } };
    });
    return [node('result', {}, Buffer.from(JSON.stringify(result)))];
  };
}

function answerOf(work: () => object): object {
  try {
    return work();
  } catch (error) {
    const { code, message } = refusalOf(error);
    return { data: null, errors: [{ message, extensions: { error_code: code, severity: 'CRITICAL' } }] };
  }
}

/** `newsletter`: the messages of a channel, and subscriptions to new ones. */
export function createNewsletterHandler(
  { world: { channels }, clock }: Network,
  contexts: ContentContexts,
): IqHandler {
  const messageNode = (session: Session, message: ChannelMessage): Node => {
    const content = writeContent(message.content, contexts.forChannel(message, session.device));
    const reactions = Object.entries(message.reactions).map(([code, count]) =>
      node('reaction', { code, count }),
    );
    return node(
      'message',
      {
        id: message.id,
        server_id: message.serverId,
        t: Math.floor(message.at / 1000),
        type: message.content.type === 'text' ? 'text' : 'media',
      },
      [
        node('plaintext', {}, proto.Message.encode(content).finish()),
        ...(reactions.length > 0 ? [node('reactions', {}, reactions)] : []),
      ],
    );
  };

  return (session, request) => {
    const jid = child(request, 'messages')?.attrs.jid ?? request.attrs.to ?? '';
    if (child(request, 'live_updates')) {
      channels.get(jid);
      return [node('live_updates', { duration: LIVE_SECONDS })];
    }
    const wanted = child(request, 'message_updates') ?? child(request, 'messages');
    if (!wanted) throw new Refusal(501, 'feature-not-implemented');
    const count = Math.min(Number(wanted.attrs.count) || DEFAULT_PAGE, LARGEST_PAGE);
    const before = wanted.attrs.before === undefined ? undefined : Number(wanted.attrs.before);
    const after = Number(wanted.attrs.after ?? 0);
    const page = channels.messages(jid, count, before).filter(({ serverId }) => serverId > after);
    const messages = node(
      'messages',
      { jid, t: unixSeconds(clock) },
      page.map((message) => messageNode(session, message)),
    );
    return [wanted.tag === 'messages' ? messages : node('message_updates', {}, [messages])];
  };
}

/** Lists of channels have no numbers of subscribers. */
function withoutCount({ thread_metadata, ...channel }: ReturnType<typeof describeChannel>) {
  const { subscribers_count: _, ...thread } = thread_metadata;
  return { ...channel, thread_metadata: thread };
}

function describeChannel(channel: Channel, followed: FollowedChannel | undefined, pictures: Pictures) {
  const { jid, name, description, inviteCode, subscriberCount, createdAt, pictureId } = channel;
  const created = String(Math.floor(createdAt / 1000));
  return {
    id: jid,
    state: { type: 'ACTIVE' },
    thread_metadata: {
      name: { id: created, text: name, update_time: created },
      description: { id: created, text: description, update_time: created },
      creation_time: created,
      invite: inviteCode,
      subscribers_count: String(subscriberCount),
      verification: 'UNVERIFIED',
      // clients read the picture without a check for its presence
      picture: pictureId
        ? { id: pictureId, type: 'IMAGE', direct_path: pictures.pathOf(pictureId, 'image') }
        : { id: '', type: 'IMAGE', direct_path: '' },
    },
    viewer_metadata: {
      mute: followed?.muted ? 'ON' : 'OFF',
      settings: [
        { type: 'MUTE_FOLLOWER_ACTIVITY', value: followed?.muted ? 'ON' : 'OFF' },
        { type: 'MUTE_ADMIN_ACTIVITY', value: 'OFF' },
      ],
      role: followed ? followed.role.toUpperCase() : 'GUEST',
    },
  };
}
