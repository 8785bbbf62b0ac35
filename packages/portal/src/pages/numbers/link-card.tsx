import type { PortalNumber, PresencePolicy } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call, useAction } from '../../api/index.ts';
import { inBackground } from '../../kernel/background.ts';
import { may } from '../../state/visit.ts';
import { choicesOf, presencePolicies, sessionStates } from '../../texts/labels.ts';
import { numberTexts } from '../../texts/numbers.ts';
import {
  Ago,
  Button,
  Card,
  ConfirmDialog,
  CopyButton,
  ErrorNote,
  Fact,
  Facts,
  formatTime,
  Note,
  Segments,
  toast,
} from '../../ui/index.ts';

/** Linked number: its session id, presence and unlinking. */
export function LinkCard({
  number,
  onChanged,
  onUnlinked,
}: {
  number: PortalNumber;
  onChanged: (number: PortalNumber) => void;
  onUnlinked: () => void;
}) {
  const asks = useSignal(false);
  const { session, phone } = number;
  if (!session) return null;
  return (
    <Card
      title={numberTexts.link}
      actions={
        may('build') && (
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
        )
      }
    >
      {session.status === 'reconnecting' && session.reason !== 'passkey_required' && (
        <Note>{numberTexts.waitText}</Note>
      )}
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
        {session.presence_policy && (
          <Fact name={numberTexts.presence}>
            {may('build') ? (
              <PresenceChoice phone={phone} policy={session.presence_policy} onChanged={onChanged} />
            ) : (
              numberTexts.presenceTexts[session.presence_policy]
            )}
          </Fact>
        )}
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

function PresenceChoice({
  phone,
  policy,
  onChanged,
}: {
  phone: string;
  policy: PresencePolicy;
  onChanged: (number: PortalNumber) => void;
}) {
  const chosen = useSignal(policy);
  const { run, problem } = useAction(async () => {
    // Arrow keys change the choice faster than requests save it.
    for (let kept = policy; kept !== chosen.value; ) {
      kept = chosen.value;
      onChanged(await call('choosePresence', { params: { phone }, body: { policy: kept } }));
    }
    toast(numberTexts.presenceChosen);
  });
  return (
    <>
      <Segments
        label={numberTexts.presence}
        value={chosen.value}
        choices={choicesOf(presencePolicies)}
        onChange={(next) => {
          chosen.value = next;
          inBackground(run());
        }}
      />
      {problem.value && <ErrorNote problem={problem.value} />}
      <span class="quiet small">{numberTexts.presenceTexts[policy]}</span>
    </>
  );
}
