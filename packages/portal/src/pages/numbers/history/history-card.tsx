import { HISTORY_DAYS_DEFAULT, HISTORY_DAYS_MAX, type History } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call, useResource } from '../../../api/index.ts';
import { may } from '../../../state/visit.ts';
import { historyTexts } from '../../../texts/chats.ts';
import {
  Button,
  Card,
  CheckField,
  ConfirmDialog,
  FormDialog,
  LinkButton,
  Loaded,
  TextField,
  toast,
} from '../../../ui/index.ts';

/** Settings of the number's kept conversations. */
export function HistoryCard({ phone }: { phone: string }) {
  const history = useResource(() => call('getNumberHistory', { params: { phone } }), [phone]);
  const open = useSignal<'choice' | 'end' | undefined>(undefined);
  const close = (): void => {
    open.value = undefined;
  };
  return (
    <Card
      title={historyTexts.title}
      actions={
        history.data &&
        may('build') && (
          <>
            {history.data.enabled && (
              <Button look="danger" small icon="trash" onClick={() => (open.value = 'end')}>
                {historyTexts.stop}
              </Button>
            )}
            <Button small onClick={() => (open.value = 'choice')}>
              {history.data.enabled ? historyTexts.change : historyTexts.start}
            </Button>
          </>
        )
      }
    >
      <Loaded resource={history}>{(data) => <Statement history={data} />}</Loaded>
      {open.value === 'choice' && history.data && (
        <ChoiceDialog phone={phone} history={history.data} onChanged={history.replace} onClose={close} />
      )}
      {open.value === 'end' && (
        <ConfirmDialog
          title={historyTexts.stopTitle}
          text={historyTexts.stopText}
          confirm={historyTexts.stop}
          onConfirm={async () => {
            history.replace(await call('chooseHistory', { params: { phone }, body: { enabled: false } }));
            toast(historyTexts.stopped);
          }}
          onClose={close}
        />
      )}
    </Card>
  );
}

function Statement({ history }: { history: History }) {
  const { phone, enabled, days = HISTORY_DAYS_DEFAULT, media = true, chats, messages } = history;
  if (!enabled) return <p class="quiet">{historyTexts.off}</p>;
  return (
    <>
      <p>{historyTexts.on(days, media)}</p>
      <div class="row row-apart">
        <span class="quiet">{historyTexts.size(chats, messages)}</span>
        <LinkButton href={`/portal/numbers/${phone}/chats`}>{historyTexts.open}</LinkButton>
      </div>
    </>
  );
}

function ChoiceDialog({
  phone,
  history,
  onChanged,
  onClose,
}: {
  phone: string;
  history: History;
  onChanged: (history: History) => void;
  onClose: () => void;
}) {
  const days = useSignal(String(history.days ?? HISTORY_DAYS_DEFAULT));
  const media = useSignal(history.media ?? true);
  const isGood =
    /^\d{1,4}$/.test(days.value) && Number(days.value) >= 1 && Number(days.value) <= HISTORY_DAYS_MAX;
  return (
    <FormDialog
      title={historyTexts.title}
      submit={historyTexts.keep}
      onSubmit={async () => {
        const body = { enabled: true, days: Number(days.value), media: media.value };
        onChanged(await call('chooseHistory', { params: { phone }, body }));
        toast(historyTexts.saved);
      }}
      onClose={onClose}
    >
      <TextField
        label={historyTexts.days}
        type="number"
        value={days.value}
        hint={historyTexts.daysHint}
        error={isGood ? undefined : historyTexts.daysError}
        onInput={(value) => {
          days.value = value;
        }}
      />
      <CheckField
        label={historyTexts.media}
        hint={historyTexts.mediaHint}
        checked={media.value}
        onChange={(checked) => {
          media.value = checked;
        }}
      />
    </FormDialog>
  );
}
