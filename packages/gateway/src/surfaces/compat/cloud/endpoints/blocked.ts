import { operations, userJid } from '@parley/contract';
import { ApiError } from '#kernel';
import type { CompatEndpoint, CompatRequest } from '#platform/http';
import { BlockBody } from '../bodies.ts';
import type { CloudContext, CloudNumber } from '../context.ts';
import { onNumber, PAGE_MAX, PageQuery, pageOf } from '../endpoint.ts';
import { objectsIn, personAddress, requiredText, textIn, userIdOf, waIdOf } from '../fields.ts';
import { GRAPH_ERRORS, GraphError, graphErrorOf } from '../graph-error.ts';

type BlockCall = CompatRequest<{ body: typeof BlockBody }, CloudNumber>;

export function blockEndpoints(context: CloudContext): CompatEndpoint[] {
  const change = (action: 'block' | 'unblock') => async (call: BlockCall) => {
    const { number } = call.subject;
    const changed: object[] = [];
    const failed: object[] = [];
    for (const [index, each] of objectsIn(call.body, 'block_users').entries()) {
      if (call.signal.aborted) break;
      const input = textIn(each, 'user') ?? requiredText(each, 'user_id', `block_users[${index}]['user']`);
      const jid = personAddress(input);
      if (jid === undefined) {
        throw new GraphError(131009, `Param block_users[${index}]['user'] cannot be blocked.`);
      }
      const error = await refused(
        call.invoke(operations.changeBlocklist, {
          params: { id: userJid(number.phone) },
          body: { jid, action },
        }),
      );
      if (error) failed.push({ input, errors: [error] });
      else changed.push({ input, ...namesOf(jid) });
    }
    const list = action === 'block' ? 'added_users' : 'removed_users';
    return {
      messaging_product: 'whatsapp',
      block_users: { [list]: changed, ...(failed.length > 0 && { failed_users: failed }) },
    };
  };
  const changes = { permission: 'contacts', input: { body: BlockBody } } as const;

  return [
    onNumber(context, ['POST', '/:id/block_users'], 'blockUsers', change('block'), changes),
    onNumber(context, ['DELETE', '/:id/block_users'], 'unblockUsers', change('unblock'), changes),
    onNumber(
      context,
      ['GET', '/:id/block_users'],
      'listBlocked',
      async ({ invoke, query, subject: { number } }) => {
        const { blocklist } = await invoke(operations.getBlocklist, {
          params: { id: userJid(number.phone) },
        });
        const { items, paging } = pageOf(blocklist.toSorted(), (jid) => jid, query);
        return {
          data: items.map((jid) => ({ messaging_product: 'whatsapp', ...namesOf(jid) })),
          paging,
        };
      },
      { permission: 'contacts', input: { query: PageQuery }, pageMax: PAGE_MAX },
    ),
  ];
}

function namesOf(jid: string): object {
  const [waId, userId] = [waIdOf(jid), userIdOf(jid)];
  return { ...(waId !== undefined && { wa_id: waId }), ...(userId !== undefined && { user_id: userId }) };
}

/** Blocks each person independently of the others; an error of the number itself ends the request. */
async function refused(change: Promise<unknown>): Promise<object | undefined> {
  try {
    await change;
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 400 && error.status !== 404)) throw error;
    const { code, message } = graphErrorOf(error);
    return { code, message: GRAPH_ERRORS[code].title, error_data: { details: message } };
  }
}
