import type { ApiKeyUse } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call, useResource, wholeList } from '../../api/index.ts';
import { inBackground } from '../../kernel/background.ts';
import { may } from '../../state/visit.ts';
import { nav } from '../../texts/common.ts';
import { keysTexts } from '../../texts/keys.ts';
import { Button, ConfirmDialog, Empty, Loaded, PageHead, toast } from '../../ui/index.ts';
import { CreateDialog } from './create-dialog.tsx';
import { EndedKeys, KeyTable } from './key-table.tsx';
import { RollDialog } from './roll-dialog.tsx';

const POLL_MS = 30_000;

export default function KeysPage() {
  const keys = useResource(() => wholeList((page) => call('listMyApiKeys', { query: page })), [], {
    everyMs: POLL_MS,
  });
  const creates = useSignal(false);
  const rolls = useSignal<ApiKeyUse | undefined>(undefined);
  const revokes = useSignal<ApiKeyUse | undefined>(undefined);
  const create = may('build') && (
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
        {keys.data?.api_keys.some(isActive) && create}
      </PageHead>
      <Loaded resource={keys}>
        {({ api_keys: list }) => {
          const ended = list.filter((key) => !isActive(key));
          return (
            <div class="stack stack-loose">
              {ended.length === list.length ? (
                <Empty icon="key" title={keysTexts.emptyTitle} action={create}>
                  {keysTexts.emptyText}
                </Empty>
              ) : (
                <KeyTable
                  keys={list.filter(isActive)}
                  onRoll={(key) => {
                    rolls.value = key;
                  }}
                  onRevoke={(key) => {
                    revokes.value = key;
                  }}
                />
              )}
              {ended.length > 0 && <EndedKeys keys={ended.toSorted(lastFirst)} />}
            </div>
          );
        }}
      </Loaded>
      {creates.value && (
        <CreateDialog
          onCreated={() => inBackground(keys.reload())}
          onClose={() => {
            creates.value = false;
          }}
        />
      )}
      {rolls.value && (
        <RollDialog
          apiKey={rolls.value}
          onRolled={() => inBackground(keys.reload())}
          onClose={() => {
            rolls.value = undefined;
          }}
        />
      )}
      {revokes.value && (
        <RevokeDialog
          apiKey={revokes.value}
          onRevoked={() => inBackground(keys.reload())}
          onClose={() => {
            revokes.value = undefined;
          }}
        />
      )}
    </>
  );
}

function isActive({ status }: ApiKeyUse): boolean {
  return status === 'active';
}

function lastFirst(a: ApiKeyUse, b: ApiKeyUse): number {
  return (b.ended_at ?? '').localeCompare(a.ended_at ?? '');
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
