import { getBinaryNodeChild, S_WHATSAPP_NET, type WASocket } from 'baileys';
import { refusal } from '../errors.ts';
import { queryNetwork } from './query.ts';
import { textOf } from './usync.ts';

/** The network's stored queries about channels, by the numbers that it gave them. */
export const CHANNEL_QUERIES = {
  create: { id: '8823471724422422', path: 'xwa2_newsletter_create' },
  detail: { id: '6563316087068696', path: 'xwa2_newsletter' },
  followed: { id: '6388546374527196', path: 'xwa2_newsletter_subscribed' },
  follow: { id: '24404358912487870', path: 'xwa2_newsletter_join_v2' },
  unfollow: { id: '9767147403369991', path: 'xwa2_newsletter_leave_v2' },
  mute: { id: '29766401636284406', path: 'xwa2_newsletter_mute_v2' },
  unmute: { id: '9864994326891137', path: 'xwa2_newsletter_unmute_v2' },
} as const;

const SERVER_FAILED = 500;

/** Runs a stored query. Its refusals come inside the answer, with the code that other answers carry outside. */
export async function runQuery(
  sock: WASocket,
  { id, path }: { readonly id: string; readonly path: string },
  variables: object,
): Promise<unknown> {
  const answer = await queryNetwork(sock, {
    tag: 'iq',
    attrs: { to: S_WHATSAPP_NET, type: 'get', xmlns: 'w:mex' },
    content: [{ tag: 'query', attrs: { query_id: id }, content: Buffer.from(JSON.stringify({ variables })) }],
  });
  const { data, errors } = JSON.parse(textOf(getBinaryNodeChild(answer, 'result')) ?? '{}');
  if (Array.isArray(errors) && errors.length > 0)
    throw refusal(Number(errors[0]?.extensions?.error_code) || SERVER_FAILED);
  return data?.[path];
}
