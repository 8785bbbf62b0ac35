import type { ApiKeyUse } from '@parley/contract';
import { now } from '../../kernel/clock.ts';
import { nav, words } from '../../texts/common.ts';
import { keysTexts } from '../../texts/keys.ts';
import { Ago, Badge, Button, Card, type Column, dateOf, formatPhone, Table } from '../../ui/index.ts';
import { KeyName, KeyPermissions } from './key-cells.tsx';

export function KeyTable({
  keys,
  onRevoke,
}: {
  keys: readonly ApiKeyUse[];
  onRevoke: (key: ApiKeyUse) => void;
}) {
  const columns: readonly Column<ApiKeyUse>[] = [
    {
      title: keysTexts.name,
      cell: (key) => <KeyName of={key} />,
      share: 2.1,
    },
    {
      title: keysTexts.number,
      cell: ({ phone }) => (phone === null ? words.allNumbers : formatPhone(phone)),
      share: 1.4,
      secondary: true,
    },
    { title: keysTexts.permissions, cell: (key) => <KeyPermissions of={key} />, share: 2.3, secondary: true },
    {
      title: keysTexts.lastUsed,
      cell: ({ last_used_at }) =>
        last_used_at === null ? <span class="quiet">{words.never}</span> : <Ago at={last_used_at} />,
      share: 1.1,
    },
    { title: keysTexts.expires, cell: expiryOf, share: 1, secondary: true },
    {
      title: keysTexts.actions,
      cell: (key) => (
        <Button small look="danger" onClick={() => onRevoke(key)}>
          {keysTexts.revoke}
        </Button>
      ),
      atEnd: true,
      share: 1.1,
    },
  ];
  return (
    <Card flush>
      <Table label={nav.keys} columns={columns} rows={keys} keyOf={({ key_id }) => key_id} />
    </Card>
  );
}

function expiryOf({ expires_at }: ApiKeyUse) {
  if (expires_at === null) return <span class="quiet">{words.never}</span>;
  if (dateOf(expires_at).getTime() <= now()) return <Badge tone="bad">{keysTexts.expired}</Badge>;
  return <Ago at={expires_at} />;
}
