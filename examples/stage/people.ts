import { until } from './until.ts';

/** A message as a virtual phone shows it; the fields that scenes read. */
interface ShownMessage {
  readonly message_id: string;
  readonly type: string;
  readonly text: string;
  readonly from_me: boolean;
  readonly quoted_message_id?: string;
}

/** A person in the sandbox, with a phone. */
export interface Person {
  readonly phone: string;
  says(to: string, text: string): Promise<void>;
  /** Waits for the first matching message of others. */
  sees(isWanted: (message: ShownMessage) => boolean): Promise<ShownMessage>;
  messages(): Promise<ShownMessage[]>;
  groups(): Promise<{ jid: string; name: string }[]>;
  makesGroup(name: string, members: readonly string[]): Promise<string>;
  votes(pollMessageId: string, option: string): Promise<void>;
}

export function createPerson(name: string, phone: string, gatewayUrl: string): Person {
  const base = `${gatewayUrl}/sandbox/v1/phones/${phone}`;

  async function ask<T>(path: string, body?: unknown): Promise<T> {
    const answer = await fetch(base + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (answer.status === 204 ? undefined : await answer.json()) as T;
  }

  async function messages(): Promise<ShownMessage[]> {
    return (await ask<{ messages: ShownMessage[] }>('/messages')).messages.filter(({ from_me }) => !from_me);
  }

  return {
    phone,
    messages,
    async says(to, text) {
      console.log(`  ${name} writes: ${text}`);
      await ask('/messages', { to, text });
    },
    async sees(isWanted) {
      const seen = await until(`${name} sees it`, async () => (await messages()).find(isWanted));
      console.log(`  ${name} sees:   ${seen.text.replaceAll('\n', ' · ') || seen.type}`);
      return seen;
    },
    groups: async () => (await ask<{ groups: { jid: string; name: string }[] }>('')).groups,
    makesGroup: async (groupName, members) =>
      (
        await ask<{ jid: string }>('/groups', {
          name: groupName,
          participants: members.map((member) => `${member}@s.whatsapp.net`),
        })
      ).jid,
    async votes(pollMessageId, option) {
      console.log(`  ${name} votes:  ${option}`);
      await ask('/votes', { poll_message_id: pollMessageId, options: [option] });
    },
  };
}
