import type { Operation } from '@parley/contract';

/** A script of Postman's, in words that Bruno translates into its own when it reads the collection. */
export interface Script {
  readonly listen: 'prerequest' | 'test';
  readonly lines: readonly string[];
}

/** A number sends once in a second, but for a few; a run would be refused. */
const SENDS_APART_MS = 1_100;

/** Whether it is sent at all, and when. */
export function before({ id, surface }: Operation, isByHand: boolean): Script[] {
  const lines = [
    ...(isByHand ? ["if (pm.collectionVariables.get('by_hand') !== 'yes') pm.execution.skipRequest();"] : []),
    ...(surface === 'operator'
      ? ["if (!pm.collectionVariables.get('operator_token')) pm.execution.skipRequest();"]
      : []),
    ...(id === 'sendMessage' || id === 'postToNewsletter'
      ? // Postman and Newman wait for timers, Bruno for what is returned.
        [`return new Promise((resume) => setTimeout(resume, ${SENDS_APART_MS}));`]
      : []),
  ];
  return lines.length === 0 ? [] : [{ listen: 'prerequest', lines }];
}

/** That it worked, and what of the answer is needed further on. */
export function after(status: number, keeps: Readonly<Record<string, string>> = {}): Script[] {
  return [
    {
      listen: 'test',
      lines: [
        `pm.test('answered with ${status}', () => pm.response.to.have.status(${status}));`,
        ...Object.entries(keeps).map(
          ([variable, place]) => `pm.collectionVariables.set('${variable}', pm.response.json().${place});`,
        ),
      ],
    },
  ];
}
