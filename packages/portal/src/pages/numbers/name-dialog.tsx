import { NICKNAME_MAX_LENGTH, type PortalNumber } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call } from '../../api/index.ts';
import { words } from '../../texts/common.ts';
import { numberTexts } from '../../texts/numbers.ts';
import { FormDialog, TextField, toast } from '../../ui/index.ts';

export function NameDialog({
  number: { phone, nickname },
  onChanged,
  onClose,
}: {
  number: PortalNumber;
  onChanged: (number: PortalNumber) => void;
  onClose: () => void;
}) {
  const name = useSignal(nickname ?? '');
  return (
    <FormDialog
      title={numberTexts.rename}
      submit={words.save}
      onSubmit={async () => {
        onChanged(await call('nameNumber', { params: { phone }, body: { nickname: name.value } }));
        toast(numberTexts.named);
      }}
      onClose={onClose}
    >
      <TextField
        label={numberTexts.name}
        name="nickname"
        hint={numberTexts.nameHint}
        autofocus
        maxLength={NICKNAME_MAX_LENGTH}
        value={name.value}
        onInput={(value) => {
          name.value = value;
        }}
      />
    </FormDialog>
  );
}
