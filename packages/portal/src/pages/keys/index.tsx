import type { ApiKeyUse } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call, useResource } from '../../api/index.ts';
import { nav } from '../../texts/common.ts';
import { keysTexts } from '../../texts/keys.ts';
import { Button, ConfirmDialog, Empty, Loaded, PageHead, toast } from '../../ui/index.ts';
import { CreateDialog } from './create-dialog.tsx';
import { KeyTable } from './key-table.tsx';

const LOOK_EVERY_MS = 30_000;

export default function KeysPage() {
  const keys = useResource(() => call('listMyApiKeys'), [], { everyMs: LOOK_EVERY_MS });
  const creates = useSignal(false);
  const revokes = useSignal<ApiKeyUse | undefined>(undefined);
  const create = (
    <Button
      look="primary"
      icon="plus"
      onClick={() => {
        creates.value = true;
      }}
    >
      {keysTexts.create}
    </Button>
  );
  return (
    <>
      <PageHead title={nav.keys} lead={keysTexts.lead}>
        {keys.data && keys.data.api_keys.length > 0 && create}
      </PageHead>
      <Loaded resource={keys}>
        {({ api_keys: list }) =>
          list.length === 0 ? (
            <Empty icon="key" title={keysTexts.emptyTitle} action={create}>
              {keysTexts.emptyText}
            </Empty>
          ) : (
            <KeyTable
              keys={list}
              onRevoke={(key) => {
                revokes.value = key;
              }}
            />
          )
        }
      </Loaded>
      {creates.value && (
        <CreateDialog
          onCreated={() => void keys.reload()}
          onClose={() => {
            creates.value = false;
          }}
        />
      )}
      {revokes.value && (
        <RevokeDialog
          apiKey={revokes.value}
          onRevoked={() => void keys.reload()}
          onClose={() => {
            revokes.value = undefined;
          }}
        />
      )}
    </>
  );
}

function RevokeDialog({
  apiKey: { key_id, name },
  onRevoked,
  onClose,
}: {
  apiKey: ApiKeyUse;
  onRevoked: () => void;
  onClose: () => void;
}) {
  return (
    <ConfirmDialog
      title={keysTexts.revokeTitle(name)}
      text={keysTexts.revokeText}
      confirm={keysTexts.revoke}
      onConfirm={async () => {
        await call('revokeMyApiKey', { params: { key_id } });
        toast(keysTexts.revoked);
        onRevoked();
      }}
      onClose={onClose}
    />
  );
}
