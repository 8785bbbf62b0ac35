import { operations, userJid } from '@parley/contract';
import type { ForeignCall, ForeignEndpoint } from '#http';
import { Fault } from '#kernel';
import { personAddress, userIdOf, waIdOf } from '../addresses.ts';
import { type CloudContext, endpoint, numberOf } from '../context.ts';
import { isObject, objectsIn, requiredText, textIn } from '../fields.ts';
import { graphErrorOf } from '../from-fault.ts';
import { GRAPH_ERRORS, GraphError, invalid } from '../graph-error.ts';

export function blockEndpoints(context: CloudContext): ForeignEndpoint[] {
  const change = (action: 'block' | 'unblock') => async (call: ForeignCall) => {
    const { number } = await numberOf(context, call);
    if (!isObject(call.body)) throw invalid('The body must be a JSON object.');
    const changed: object[] = [];
    const failed: object[] = [];
    for (const [index, each] of objectsIn(call.body, 'block_users').entries()) {
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

  return [
    endpoint(['POST', '/:id/block_users'], 'blockUsers', change('block')),
    endpoint(['DELETE', '/:id/block_users'], 'unblockUsers', change('unblock')),
    endpoint(['GET', '/:id/block_users'], 'listBlocked', async (call) => {
      const { number } = await numberOf(context, call);
      const { blocklist } = await call.invoke(operations.getBlocklist, {
        params: { id: userJid(number.phone) },
      });
      return {
        data: blocklist.map((jid) => ({ messaging_product: 'whatsapp', ...namesOf(jid) })),
        paging: {},
      };
    }),
  ];
}

function namesOf(jid: string): object {
  const [waId, userId] = [waIdOf(jid), userIdOf(jid)];
  return { ...(waId !== undefined && { wa_id: waId }), ...(userId !== undefined && { user_id: userId }) };
}

/** Some may be blocked though others cannot; what is wrong with the number as a whole is told at once. */
async function refused(change: Promise<unknown>): Promise<object | undefined> {
  try {
    await change;
    return undefined;
  } catch (error) {
    if (!(error instanceof Fault) || (error.status !== 400 && error.status !== 404)) throw error;
    const { code, message } = graphErrorOf(error);
    return { code, message: GRAPH_ERRORS[code].title, error_data: { details: message } };
  }
}
