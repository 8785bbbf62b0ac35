import type { PortalNumber } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call } from '../../api/index.ts';
import { sessionStates } from '../../texts/labels.ts';
import { numberTexts } from '../../texts/numbers.ts';
import {
  Ago,
  Button,
  Card,
  ConfirmDialog,
  CopyButton,
  Fact,
  Facts,
  formatTime,
  Note,
  toast,
} from '../../ui/index.ts';

/** A number that is linked: what to call it in requests, and the way out. */
export function LinkCard({ number, onUnlinked }: { number: PortalNumber; onUnlinked: () => void }) {
  const asks = useSignal(false);
  const { session, phone } = number;
  if (!session) return null;
  return (
    <Card
      title={numberTexts.link}
      actions={
        <Button
          look="danger"
          small
          icon="unlink"
          onClick={() => {
            asks.value = true;
          }}
        >
          {numberTexts.unlink}
        </Button>
      }
    >
      {session.status === 'reconnecting' && <Note>{numberTexts.waitText}</Note>}
      {session.status === 'offline' && (
        <Note tone="warning" icon="warning">
          {session.detail ?? numberTexts.offlineText}
          {session.until_unix !== undefined && ` ${numberTexts.backAt(formatTime(session.until_unix))}`}
        </Note>
      )}
      <Facts fit="wide">
        <Fact name={numberTexts.session}>
          <span class="row">
            <code>{session.session_id}</code>
            <CopyButton text={session.session_id} />
          </span>
          <span class="quiet small">{numberTexts.sessionHint}</span>
        </Fact>
        <Fact name={numberTexts.since(sessionStates[session.status])}>
          {formatTime(session.since_unix)}
          <span class="quiet small">
            <Ago at={session.since_unix} />
          </span>
        </Fact>
      </Facts>
      {asks.value && (
        <ConfirmDialog
          title={numberTexts.unlinkTitle}
          text={numberTexts.unlinkText}
          confirm={numberTexts.unlink}
          onConfirm={async () => {
            await call('unlinkNumber', { params: { phone } });
            toast(numberTexts.unlinked);
            onUnlinked();
          }}
          onClose={() => {
            asks.value = false;
          }}
        />
      )}
    </Card>
  );
}
