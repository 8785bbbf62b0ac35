import { useSignal } from '@preact/signals';
import { Problem, useAction } from '../../api/index.ts';
import { inBackground } from '../../kernel/background.ts';
import { readScreens } from '../../state/screen.ts';
import { deviceTexts } from '../../texts/sandbox.ts';
import { Button, ErrorNote, TextField, toast } from '../../ui/index.ts';
import type { Handset } from './handset.ts';

/** The phone's side of pairing: scan, paste or type the code. */
export function LinkForm({ handset: { number, act } }: { handset: Handset }) {
  const content = useSignal('');
  const code = useSignal('');
  const linking = useAction(async (what: '/scan' | '/enter-code', body: object) => {
    await act(what, body);
    content.value = '';
    code.value = '';
    toast(deviceTexts.linked);
  });
  const scanning = useAction(async () => {
    const screens = await readScreens();
    const seen = screens.find(({ phone }) => phone === number);
    if (seen?.qr !== undefined) await linking.run('/scan', { qr: seen.qr });
    else if (seen?.code !== undefined) await linking.run('/enter-code', { code: seen.code });
    else throw new Problem(404, deviceTexts.nothingSeen(number));
  });
  const problem = scanning.problem.value ?? linking.problem.value;
  return (
    <section class="device">
      <h3>{deviceTexts.link}</h3>
      <p class="quiet small">{deviceTexts.scanText}</p>
      <Button
        look="primary"
        icon="qr"
        busy={scanning.busy.value}
        onClick={() => inBackground(scanning.run())}
      >
        {scanning.busy.value ? deviceTexts.scanning : deviceTexts.scan}
      </Button>
      {problem && <ErrorNote problem={problem} />}
      <form
        class="device-line"
        onSubmit={(event) => {
          event.preventDefault();
          inBackground(linking.run('/enter-code', { code: code.value }));
        }}
      >
        <TextField
          label={deviceTexts.orCode}
          hint={deviceTexts.codeHint}
          placeholder="ABCD-1234"
          autocomplete="off"
          mono
          required
          value={code.value}
          onInput={(value) => (code.value = value)}
        />
        <Button type="submit" busy={linking.busy.value}>
          {deviceTexts.take}
        </Button>
      </form>
      <form
        class="device-line"
        onSubmit={(event) => {
          event.preventDefault();
          inBackground(linking.run('/scan', { qr: content.value.trim() }));
        }}
      >
        <TextField
          label={deviceTexts.orPaste}
          placeholder={deviceTexts.content}
          autocomplete="off"
          mono
          required
          value={content.value}
          onInput={(value) => (content.value = value)}
        />
        <Button type="submit" busy={linking.busy.value}>
          {deviceTexts.take}
        </Button>
      </form>
    </section>
  );
}
