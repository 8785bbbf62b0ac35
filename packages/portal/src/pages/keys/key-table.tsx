import { type ApiKeyUse, PERMISSIONS } from '@parley/contract';
import { now } from '../../kernel/clock.ts';
import { words } from '../../texts/common.ts';
import { keysTexts, permissionNames } from '../../texts/keys.ts';
import { Ago, Badge, Button, Card, type Column, dateOf, formatPhone, Table } from '../../ui/index.ts';

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
      cell: ({ name, prefix }) => (
        <>
          <strong>{name}</strong> <code class="quiet">{prefix}…</code>
        </>
      ),
      share: 2.6,
    },
    {
      title: keysTexts.number,
      cell: ({ phone }) => (phone === null ? keysTexts.allNumbers : formatPhone(phone)),
      share: 1.5,
      secondary: true,
    },
    { title: keysTexts.permissions, cell: permissionsOf, share: 1.4, secondary: true },
    {
      title: keysTexts.lastUsed,
      cell: ({ last_used_at }) =>
        last_used_at === null ? <span class="quiet">{words.never}</span> : <Ago at={last_used_at} />,
      share: 1.4,
    },
    { title: keysTexts.expires, cell: expiryOf, share: 1.2, secondary: true },
    {
      title: keysTexts.actions,
      cell: (key) => (
        <Button small look="danger" onClick={() => onRevoke(key)}>
          {keysTexts.revoke}
        </Button>
      ),
      atEnd: true,
      share: 1.2,
    },
  ];
  return (
    <Card flush>
      <Table label={keysTexts.title} columns={columns} rows={keys} keyOf={({ key_id }) => key_id} />
    </Card>
  );
}

function permissionsOf({ permissions }: ApiKeyUse) {
  if (permissions.length === PERMISSIONS.length) return keysTexts.everything;
  const names = permissions.map((permission) => permissionNames[permission]).join(', ');
  return <span title={names}>{names}</span>;
}

function expiryOf({ expires_at }: ApiKeyUse) {
  if (expires_at === null) return <span class="quiet">{words.never}</span>;
  if (dateOf(expires_at).getTime() <= now()) return <Badge tone="bad">{keysTexts.expired}</Badge>;
  return <Ago at={expires_at} />;
}
