import { beforeAll, describe, expect, it } from 'vitest';
import type { ChannelMessage, ChannelOperations } from '../../operations.ts';
import { catchUp, defined, failureOf } from './expectations.ts';
import type { CreateHarness } from './harness.ts';
import { TINY_PNG } from './pictures.ts';
import { type OpenNumber, type TestContact, useStage } from './stage.ts';

const UNKNOWN_CHANNEL = '120363000000000000@newsletter';

export function describeChannels(createHarness: CreateHarness): void {
  describe('channels', () => {
    const stage = useStage(createHarness);
    let me: OpenNumber;
    let channels: ChannelOperations;
    let ada: TestContact;

    beforeAll(async () => {
      me = await stage.online();
      channels = me.session.channels;
      ada = stage.someone();
    });

    const channelOfAda = () =>
      stage.world.channels.create(ada.actor, { name: 'Weather', description: 'Every morning' });

    const publish = (jid: string, text: string) =>
      stage.world.channels.send(ada.actor, jid, {
        id: stage.world.messages.newId(),
        content: { type: 'text', text },
      });

    const text = (words: string): ChannelMessage => ({
      messageId: stage.newMessageId(),
      content: { kind: 'text', text: words },
    });

    const latest = (jid: string) => defined(stage.world.channels.messages(jid, 1)[0], 'channel message');

    it('creates a channel with a picture', async () => {
      const picture = await stage.file(TINY_PNG, 'image/png');

      const channel = await channels.create({ name: 'Our news', description: 'All of it', picture });

      expect(channel).toMatchObject({ name: 'Our news', description: 'All of it' });
      expect(stage.world.channels.followed(me.phone, channel.jid)).toMatchObject({
        name: 'Our news',
        description: 'All of it',
        inviteCode: channel.inviteCode,
        role: 'owner',
        pictureId: expect.any(String),
      });
    });

    it('creates a channel with only a name', async () => {
      const { jid } = await channels.create({ name: 'Bare' });
      expect(stage.world.channels.get(jid)).toMatchObject({ name: 'Bare', description: '' });
    });

    it('describes a channel that it does not follow', async () => {
      const { jid, inviteCode } = channelOfAda();
      expect(await channels.detail(jid)).toEqual({
        jid,
        name: 'Weather',
        description: 'Every morning',
        subscriberCount: 1,
        inviteCode,
      });
    });

    it('follows by address or by invite code, lists followed channels, and unfollows', async () => {
      const [first, second, third] = [channelOfAda(), channelOfAda(), channelOfAda()];
      const own = await channels.create({ name: 'Own' });
      const followed = async () => (await channels.list()).map(({ jid }) => jid);

      expect(await channels.follow({ jid: first.jid })).toMatchObject({ jid: first.jid, name: 'Weather' });
      expect(await channels.follow({ inviteCode: second.inviteCode })).toMatchObject({ jid: second.jid });
      expect(await followed()).toEqual(expect.arrayContaining([first.jid, second.jid, own.jid]));
      expect(await followed()).not.toContain(third.jid);
      const listed = (await channels.list()).find(({ jid }) => jid === first.jid);
      expect(listed?.subscriberCount).toBe(stage.world.channels.get(first.jid).subscriberCount);
      expect(listed?.subscriberCount).toBeGreaterThan(0);

      await channels.unfollow(first.jid);
      expect(stage.world.channels.followed(me.phone, first.jid)).toBeUndefined();
      expect(await followed()).not.toContain(first.jid);
    });

    it('mutes and unmutes', async () => {
      const { jid } = channelOfAda();
      await channels.follow({ jid });
      for (const muted of [true, false]) {
        await channels.mute(jid, muted);
        expect(stage.world.channels.followed(me.phone, jid)).toMatchObject({ muted });
      }
    });

    it('sends a text under the given id, once, and returns the server’s id', async () => {
      const { jid } = await channels.create({ name: 'Own' });
      const message = text('Welcome');

      const { serverId } = await channels.send(jid, message);
      await channels.send(jid, message);

      expect(stage.world.channels.messages(jid, 10)).toMatchObject([
        { id: message.messageId, content: { type: 'text', text: 'Welcome' } },
      ]);
      expect([undefined, latest(jid).serverId]).toContain(serverId);
    });

    it.each([
      ['image', 'image/png'],
      ['video', 'video/mp4'],
      ['audio', 'audio/mpeg'],
      ['document', 'application/pdf'],
    ] as const)('sends %s', async (kind, mimetype) => {
      const { jid } = await channels.create({ name: 'Own' });
      const file = await stage.file(`the bytes of ${kind}`, mimetype);
      const extras = {
        ...(kind !== 'audio' && { caption: 'Look' }),
        ...(kind === 'document' && { fileName: 'look.pdf' }),
      };

      await channels.send(jid, { messageId: stage.newMessageId(), content: { kind, file, ...extras } });

      const { content } = latest(jid);
      expect(content).toMatchObject({ type: kind, media: { mimetype, size: file.size }, ...extras });
      const bytes = 'media' in content ? stage.world.media.read(content.media.id) : undefined;
      expect(Buffer.from(bytes ?? []).toString()).toBe(`the bytes of ${kind}`);
    });

    it('reports the posts of a followed channel, with the ids that a reaction needs', async () => {
      const { jid } = channelOfAda();
      await channels.follow({ jid });

      const published = [publish(jid, 'Sunny'), publish(jid, 'Rain')];

      await stage.eventually(() =>
        expect(me.witness.of('channel_message').filter(({ channel }) => channel === jid)).toMatchObject(
          published.map(({ serverId, id, at }, n) => ({
            serverId,
            messageId: id,
            type: 'text',
            text: ['Sunny', 'Rain'][n],
            timestamp: Math.floor(at / 1_000),
          })),
        ),
      );
    });

    it('receives nothing more of a channel after unfollowing it', async () => {
      const { jid } = channelOfAda();
      await channels.follow({ jid });
      await channels.unfollow(jid);

      const { id } = publish(jid, 'After unfollowing');
      await catchUp(stage, me, ada);

      expect(me.witness.of('channel_message').map(({ messageId }) => messageId)).not.toContain(id);
    });

    it('reacts to a message and removes the reaction', async () => {
      const { jid } = channelOfAda();
      await channels.follow({ jid });
      const { serverId, id } = publish(jid, 'Sunny');

      await channels.react(jid, serverId, id, '☀️');
      expect(latest(jid).reactions).toEqual({ '☀️': 1 });
      await channels.react(jid, serverId, id, '');
      expect(latest(jid).reactions).toEqual({});
    });

    it('is refused to send to a channel whose admin it is not', async () => {
      const { jid } = channelOfAda();
      await channels.follow({ jid });
      expect((await failureOf(channels.send(jid, text('Mine')))).kind).toBe('refused');
      expect(stage.world.channels.messages(jid, 1)).toEqual([]);
    });

    it('does not count a send as done when the network is busy', async () => {
      const { jid } = await channels.create({ name: 'Own' });
      stage.world.faults.arm(me.sessionId, { kind: 'send_transient', count: 1, ms: 0 });
      expect((await failureOf(channels.send(jid, text('Later')))).kind).toBe('transient');
    });

    it.each<[string, () => Promise<unknown>]>([
      ['detail', () => channels.detail(UNKNOWN_CHANNEL)],
      ['mute', () => channels.mute(UNKNOWN_CHANNEL, true)],
      ['follow', () => channels.follow({ jid: UNKNOWN_CHANNEL })],
      ['follow by code', () => channels.follow({ inviteCode: 'NoSuchInviteCode000000' })],
      ['unfollow', () => channels.unfollow(UNKNOWN_CHANNEL)],
      ['send', () => channels.send(UNKNOWN_CHANNEL, text('Hello?'))],
      ['react', () => channels.react(UNKNOWN_CHANNEL, 1, stage.newMessageId(), '👍')],
    ])('does not find the channel for %s', async (_, call) => {
      expect((await failureOf(call())).kind).toBe('not_found');
    });
  });
}
