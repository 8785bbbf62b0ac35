import type { ApiKey } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call, useGrowingList, useResource, wholeList } from '../../../api/index.ts';
import { inBackground } from '../../../kernel/background.ts';
import { words } from '../../../texts/common.ts';
import { keysTexts } from '../../../texts/keys.ts';
import { accountTexts } from '../../../texts/operator.ts';
import {
  Actions,
  Ago,
  Button,
  Card,
  type Column,
  ConfirmDialog,
  Dialog,
  formatPhone,
  Loaded,
  More,
  SecretPanel,
  Table,
  toast,
} from '../../../ui/index.ts';
import { KeyName, KeyPermissions } from '../../keys/key-cells.tsx';
import { KeyForm } from '../../keys/key-form.tsx';

/** Keys of an account; a new key is shown once. */
export function KeysCard({ accountId }: { accountId: string }) {
  const params = { account_id: accountId };
  const keys = useGrowingList((page) => call('listApiKeys', { params, query: page }), [accountId]);
  const creates = useSignal(false);
  const revokes = useSignal<ApiKey | undefined>(undefined);
  return (
    <Card
      flush
      title={accountTexts.keys}
      actions={
        <Button small icon="plus" onClick={() => (creates.value = true)}>
          {keysTexts.create}
        </Button>
      }
    >
      <Loaded resource={keys}>
        {({ api_keys: list }) =>
          list.length === 0 ? (
            <p class="card-note quiet">{accountTexts.noKeys}</p>
          ) : (
            <Table
              label={accountTexts.keys}
              columns={columnsWith((key) => (revokes.value = key))}
              rows={list}
              keyOf={({ key_id }) => key_id}
            />
          )
        }
      </Loaded>
      <More list={keys} shown={keys.data?.api_keys.length ?? 0} />
      {creates.value && (
        <CreateDialog
          accountId={accountId}
          onCreated={() => inBackground(keys.reload())}
          onClose={() => (creates.value = false)}
        />
      )}
      {revokes.value && (
        <ConfirmDialog
          title={keysTexts.revokeTitle(revokes.value.name)}
          text={keysTexts.revokeText}
          confirm={keysTexts.revoke}
          onConfirm={async () => {
            await call('revokeApiKey', { params: { ...params, key_id: revokes.value?.key_id ?? '' } });
            toast(keysTexts.revoked);
            await keys.reload();
          }}
          onClose={() => (revokes.value = undefined)}
        />
      )}
    </Card>
  );
}

const columnsWith = (revoke: (key: ApiKey) => void): readonly Column<ApiKey>[] => [
  {
    title: keysTexts.name,
    cell: (key) => <KeyName of={key} />,
    share: 2.4,
  },
  {
    title: keysTexts.number,
    cell: ({ phone }) => (phone === null ? words.allNumbers : formatPhone(phone)),
    share: 1.4,
    secondary: true,
  },
  {
    title: keysTexts.permissions,
    cell: (key) => <KeyPermissions of={key} />,
    share: 2,
    secondary: true,
  },
  {
    title: keysTexts.expires,
    cell: ({ expires_at }) =>
      expires_at === null ? <span class="quiet">{words.never}</span> : <Ago at={expires_at} />,
    secondary: true,
  },
  {
    title: keysTexts.actions,
    cell: (key) => (
      <Button small look="danger" onClick={() => revoke(key)}>
        {keysTexts.revoke}
      </Button>
    ),
    atEnd: true,
  },
];

function CreateDialog({
  accountId,
  onCreated,
  onClose,
}: {
  accountId: string;
  onCreated: () => void;
  onClose: () => void;
}) {
  const params = { account_id: accountId };
  const secret = useSignal<string | undefined>(undefined);
  const devices = useResource(
    () => wholeList((page) => call('listDevices', { params, query: page })),
    [accountId],
  );
  return (
    <Dialog title={keysTexts.create} onClose={onClose} wide keeps={secret.value !== undefined}>
      {secret.value === undefined ? (
        <KeyForm
          phones={devices.data?.devices.map(({ phone }) => phone) ?? []}
          onClose={onClose}
          create={async (body) => {
            secret.value = (await call('createApiKey', { params, body })).api_key;
            onCreated();
          }}
        />
      ) : (
        <>
          <SecretPanel title={keysTexts.keyLabel} secret={secret.value} />
          <Actions>
            <Button look="primary" onClick={onClose}>
              {words.copiedIt}
            </Button>
          </Actions>
        </>
      )}
    </Dialog>
  );
}
