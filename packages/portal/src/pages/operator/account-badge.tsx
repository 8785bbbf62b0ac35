import type { AccountStatus } from '@parley/contract';
import { accountStates } from '../../texts/labels.ts';
import { Badge } from '../../ui/index.ts';

export function AccountBadge({ status }: { status: AccountStatus }) {
  return <Badge tone={status === 'active' ? 'good' : 'bad'}>{accountStates[status]}</Badge>;
}
