import { N8N_OPERATIONS } from '../../test/conformance/evolution/n8n-operations.ts';
import { table } from './limits-page.ts';

const RESOURCES: Readonly<Record<string, string>> = {
  'instances-api': 'Instance',
  'messages-api': 'Message',
  'groups-api': 'Group',
  'chat-api': 'Chat',
  'profile-api': 'Profile',
  'events-api': 'Event',
  'integrations-api': 'Integration',
};

/** Support of each operation of n8n's node, from the tests that run it. */
export function n8nTable(): string {
  const rows = Object.entries(N8N_OPERATIONS).map(([name, { path, outcome, ...rest }]) => {
    const [resource = '', ...operation] = name.split(' ');
    const note: string = ('note' in rest && rest.note) || '';
    return [
      RESOURCES[resource] ?? resource,
      `\`${operation.join(' ')}\``,
      path && `\`${path}\``,
      outcome,
      note,
    ];
  });
  return table(['Resource', 'Operation', 'Request', 'Outcome', ''], rows);
}
