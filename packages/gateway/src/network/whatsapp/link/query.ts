import type { BinaryNode, WASocket } from 'baileys';
import { timedOut } from '../errors.ts';

/**
 * Asks the network something. The library resolves with nothing when no answer came in time: taken for an empty answer, it would say that
 * nobody has a number or that there is no such thing.
 */
export async function queryNetwork(sock: Pick<WASocket, 'query'>, question: BinaryNode): Promise<BinaryNode> {
  const answer: BinaryNode | undefined = await sock.query(question);
  if (!answer) throw timedOut();
  return answer;
}
