import type { ApiKeyUse } from '@parley/contract';
import { may } from '../../state/visit.ts';
import { nav, words } from '../../texts/common.ts';
import { keysTexts } from '../../texts/keys.ts';
import { Button, Card, type Column, formatDay, formatPhone, formatTime, Table } from '../../ui/index.ts';
import { KeyName, KeyPermissions } from './key-cells.tsx';

const ABOUT: readonly Column<ApiKeyUse>[] = [
  { title: keysTexts.name, cell: (key) => <KeyName of={key} />, share: 1.8 },
  {
    title: keysTexts.number,
    cell: ({ phone }) => (phone === null ? words.allNumbers : formatPhone(phone)),
    share: 1.75,
    secondary: true,
  },
  { title: keysTexts.permissions, cell: (key) => <KeyPermissions of={key} />, share: 1.5, secondary: true },
  {
    title: keysTexts.created,
    cell: ({ created_at }) => <Day at={created_at} />,
    share: 1.2,
    secondary: true,
  },
  { title: keysTexts.lastUsed, cell: ({ last_used_at }) => <Day at={last_used_at} />, share: 1.3 },
];

/** Active keys. */
export function KeyTable({
  keys,
  onRoll,
  onRevoke,
}: {
  keys: readonly ApiKeyUse[];
  onRoll: (key: ApiKeyUse) => void;
  onRevoke: (key: ApiKeyUse) => void;
}) {
  const columns: readonly Column<ApiKeyUse>[] = [
    ...ABOUT,
    {
      title: keysTexts.expires,
      cell: ({ expires_at }) => <Day at={expires_at} />,
      share: 1.2,
      secondary: true,
    },
    ...(may('build')
      ? [
          {
            title: keysTexts.actions,
            cell: (key: ApiKeyUse) => (
              <span class="key-actions">
                <Button small onClick={() => onRoll(key)}>
                  {keysTexts.roll}
                </Button>
                <Button small look="danger" onClick={() => onRevoke(key)}>
                  {keysTexts.revoke}
                </Button>
              </span>
            ),
            atEnd: true,
            share: 2,
          },
        ]
      : []),
  ];
  return (
    <Card flush>
      <Table label={nav.keys} columns={columns} rows={keys} keyOf={({ key_id }) => key_id} />
    </Card>
  );
}

const ENDED: readonly Column<ApiKeyUse>[] = [
  ...ABOUT,
  {
    title: keysTexts.ended,
    cell: ({ status, ended_at }) => {
      const day = ended_at === null ? '' : formatDay(ended_at);
      return status === 'revoked' ? keysTexts.revokedOn(day) : keysTexts.expiredOn(day);
    },
    atEnd: true,
    share: 1.7,
  },
];

/** Expired and revoked keys, newest first. */
export function EndedKeys({ keys }: { keys: readonly ApiKeyUse[] }) {
  return (
    <Card title={keysTexts.endedKeys} flush>
      <p class="card-note quiet">{keysTexts.endedText}</p>
      <Table label={keysTexts.endedKeys} columns={ENDED} rows={keys} keyOf={({ key_id }) => key_id} />
    </Card>
  );
}

/** Day, with the exact time as a tooltip. */
function Day({ at }: { at: string | null }) {
  if (at === null) return <span class="quiet">{words.never}</span>;
  return (
    <time dateTime={at} title={formatTime(at)}>
      {formatDay(at)}
    </time>
  );
}
