import { createParley, type Group, type MessageEvent } from 'parley-sdk';

/**
 * Keeps a group in its wanted state: creates it if it does not exist, sets its description, members and admins, and then takes
 * commands from its admins: “!link” shows the invite link, “!quiet” lets only admins write, “!open” everyone.
 */
const NAME = 'Harbour club';
const DESCRIPTION = 'Tides, ferries and tea. Write !link to invite a friend.';
const MEMBERS = ['15550002001@s.whatsapp.net', '15550002002@s.whatsapp.net'];
const ADMINS = ['15550002001@s.whatsapp.net'];

const parley = createParley({ url: process.env.PARLEY_URL, apiKey: process.env.PARLEY_API_KEY });
const [session] = (await parley.sessions.list()).sessions;
if (!session) throw new Error('Link a number first.');
const id = session.session_id;

const group = await applyWantedState(await findOrCreate());
const messages = parley.events.stream({
  kind: 'message',
  session_id: id,
  onOpen: () => console.log(`${group.name} is as it should be`),
});
for await (const { event } of messages) {
  if (event.chat_jid === group.jid && event.text.startsWith('!')) await obey(event);
}

async function findOrCreate(): Promise<Group> {
  const { groups } = await parley.groups.list(id);
  const known = groups.find(({ name }) => name === NAME);
  return known
    ? parley.groups.get(id, known.jid)
    : parley.groups.create(id, { name: NAME, participants: MEMBERS });
}

/** Changes only what differs, so that members get no needless notifications. */
async function applyWantedState({ jid, description, participants }: Group): Promise<Group> {
  const has = (member: string) =>
    participants.some((each) => each.jid === member || each.phone_jid === member);
  const isAdmin = (member: string) =>
    participants.some((each) => each.is_admin && (each.jid === member || each.phone_jid === member));
  const missing = MEMBERS.filter((member) => !has(member));
  const toPromote = ADMINS.filter((member) => !isAdmin(member));

  if (description !== DESCRIPTION) await parley.groups.describe(id, jid, { description: DESCRIPTION });
  if (missing.length > 0) {
    // Each member has a result of its own: a privacy setting may refuse to be added.
    const { results } = await parley.groups.changeParticipants(id, jid, {
      participants: missing,
      action: 'add',
    });
    for (const { jid: member, ok, error } of results)
      if (!ok) console.log(`${member} could not be added: ${error}`);
  }
  if (toPromote.length > 0)
    await parley.groups.changeParticipants(id, jid, { participants: toPromote, action: 'promote' });
  return parley.groups.get(id, jid);
}

async function obey({ sender_jid, text, message_id }: MessageEvent): Promise<void> {
  // Queried each time, because admins change.
  const { participants } = await parley.groups.get(id, group.jid);
  if (!participants.some(({ jid, is_admin }) => jid === sender_jid && is_admin)) return;
  const answer = await done(text);
  if (answer)
    await parley.messages.send(
      { session_id: id, to: group.jid, text: answer },
      { idempotencyKey: `group-manager-${message_id}` },
    );
}

async function done(order: string): Promise<string | undefined> {
  switch (order) {
    case '!link':
      return (await parley.groups.getInvite(id, group.jid)).invite_link;
    case '!quiet':
      await parley.groups.changeSettings(id, group.jid, { announce: true });
      return 'Only admins may write now.';
    case '!open':
      await parley.groups.changeSettings(id, group.jid, { announce: false });
      return 'Everybody may write again.';
    default:
      return undefined;
  }
}
